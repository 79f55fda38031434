/* cli/cmd_verify.c - `baton verify`: chains, anchors and signatures of all the evidence. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/json_out.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/store/chain_forest.h"

#define CONSEQUENCE "do not verify with this key: writes will be refused"

struct verify {
  const struct bt_env *env;
  struct bt_forest forest;
  bool segmented;
  uint64_t entries, good, bad, unchecked, unsigned_, breaks;
};

static bool has_key(const struct verify *verify) {
  return verify->env->key != NULL && verify->env->key_length > 0;
}

static void add_up(struct verify *verify) {
  for (size_t i = 0; i < verify->forest.count; i++) {
    const struct bt_chain_result *result = &verify->forest.chains[i].result;
    verify->entries += result->entries;
    verify->good += result->signed_good;
    verify->bad += result->signed_bad;
    verify->unchecked += result->signed_unchecked;
    verify->unsigned_ += result->unsigned_;
    verify->breaks += result->breaks;
  }
}

/* ---- JSON ---- */

static void put_counts(struct json_out *json, uint64_t good, uint64_t bad, uint64_t unchecked, uint64_t unsigned_) {
  json_integer(json, "ok", (int64_t)good);
  json_integer(json, "invalid", (int64_t)bad);
  json_integer(json, "unverifiable", (int64_t)unchecked);
  json_integer(json, "unsigned", (int64_t)unsigned_);
}

static void put_first_broken(struct json_out *json, const struct bt_forest *forest) {
  if (forest->ok) {
    json_null(json, "first_broken");
    return;
  }
  json_open(json, "first_broken", '{');
  json_text(json, "file", forest->file);
  if (forest->line > 0)
    json_integer(json, "line", (int64_t)forest->line);
  else
    json_null(json, "line");
  if (forest->seq > 0)
    json_number(json, "seq", forest->seq);
  else
    json_null(json, "seq");
  json_text(json, "reason", forest->reason);
  json_close(json, '}');
}

static void put_chain(struct json_out *json, const struct bt_forest_chain *chain) {
  const struct bt_chain_result *result = &chain->result;
  json_open(json, NULL, '{');
  json_text(json, "chain", chain->name);
  json_text(json, "file", chain->path);
  json_bool(json, "ok", result->reason == NULL);
  json_text(json, "reason", result->reason);
  json_integer(json, "entries", (int64_t)result->entries);
  json_number(json, "last_seq", result->last_seq);
  json_text(json, "last_hash", result->entries > 0 ? result->last_hash : NULL);
  json_bool(json, "ends_in_newline", !result->last_is_open);
  json_open(json, "signatures", '{');
  put_counts(json, result->signed_good, result->signed_bad, result->signed_unchecked, result->unsigned_);
  json_close(json, '}');
  json_close(json, '}');
}

static int print_json(const struct verify *verify) {
  struct json_out json;
  const struct bt_forest *forest = &verify->forest;
  json_begin(&json);
  json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
  json_time(&json, "taken_at", bt_env_now(verify->env));
  json_text(&json, "ledger", verify->env->ledger_dir);
  json_bool(&json, "key_loaded", has_key(verify));
  json_bool(&json, "ok", forest->ok);
  json_bool(&json, "segmented", verify->segmented);
  json_integer(&json, "entries", (int64_t)verify->entries);
  json_integer(&json, "segments", (int64_t)forest->segments.count);
  json_integer(&json, "invalid_objects", (int64_t)forest->segments.invalid_count);
  json_integer(&json, "broken_lines", (int64_t)verify->breaks);
  put_first_broken(&json, forest);
  json_open(&json, "signatures", '{');
  json_text(&json, "verdict", !has_key(verify) ? "unverifiable" : verify->bad > 0 ? "invalid" : "ok");
  put_counts(&json, verify->good, verify->bad, verify->unchecked, verify->unsigned_);
  json_close(&json, '}');
  json_text(&json, "consequence", verify->bad > 0 ? CONSEQUENCE : NULL);
  json_text(&json, "writes", !forest->ok ? "refused" : has_key(verify) ? "accepted" : "unverifiable");
  json_open(&json, "chains", '[');
  for (size_t i = 0; i < forest->count; i++)
    put_chain(&json, &forest->chains[i]);
  json_close(&json, ']');
  return json_end(&json);
}

/* ---- words ---- */

static const char *plural(uint64_t count, const char *one, const char *many) {
  return count == 1 ? one : many;
}

static int print_words(const struct verify *verify) {
  const struct bt_forest *forest = &verify->forest;
  size_t segments = forest->segments.count;
  printf("%s: %" PRIu64 " %s in the root chain and %zu %s\n", forest->ok ? "chain ok" : "chain BROKEN", verify->entries,
         plural(verify->entries, "entry", "entries"), segments, plural(segments, "segment", "segments"));
  if (!has_key(verify) && verify->unchecked > 0)
    printf("signatures unverifiable: no key is loaded; %" PRIu64 " signed, %" PRIu64 " unsigned\n", verify->unchecked,
           verify->unsigned_);
  else
    printf("signatures: %" PRIu64 " ok, %" PRIu64 " invalid, %" PRIu64 " unsigned\n", verify->good, verify->bad,
           verify->unsigned_);
  if (verify->bad > 0)
    printf("%" PRIu64 " %s " CONSEQUENCE "\n", verify->bad, plural(verify->bad, "entry", "entries"));
  for (size_t i = 0; i < forest->count; i++) {
    if (forest->chains[i].result.last_is_open)
      printf("note: %s does not end in a newline: the next entry would go to the same line and break the chain\n",
             forest->chains[i].path);
  }
  return out_flush();
}

/* The first broken entry on stderr, and 2. */
static int complain(const struct bt_forest *forest) {
  struct bt_error err = {0};
  if (forest->line == 0)
    (void)bt_error_set(&err, BT_REFUSED, forest->file, "%s: %s", forest->file, forest->reason);
  else if (forest->seq > 0)
    (void)bt_error_set(&err, BT_REFUSED, forest->file, "%s line %" PRIu64 " (seq %.0f): %s", forest->file, forest->line,
                       forest->seq, forest->reason);
  else
    (void)bt_error_set(&err, BT_REFUSED, forest->file, "%s line %" PRIu64 ": %s", forest->file, forest->line,
                       forest->reason);
  return out_error(&err);
}

static int run(struct cli_env *cli, bool json) {
  struct verify verify = {.env = &cli->env};
  struct bt_error err = {0};
  int status = 0;
  int ledger = bt_fs_open_root(cli->env.ledger_dir, &err);
  if (ledger < 0 && err.code == BT_MISSING)
    (void)bt_error_set(&err, BT_MISSING, cli->env.ledger_dir, "there is no ledger here");
  if (ledger < 0)
    return out_error(&err);
  struct bt_forest_options options = {.key = bt_env_key(&cli->env), .keep_going = true};
  enum bt_code code = bt_forest_check(ledger, &options, &verify.forest, &err);
  if (code == BT_OK) {
    struct bt_error ignored; /* what is wrong with the folder is in the forest already */
    enum bt_code known = bt_segments_in_use(ledger, &verify.segmented, &ignored);
    verify.segmented = known == BT_OK && verify.segmented;
    add_up(&verify);
    status = json ? print_json(&verify) : print_words(&verify);
    if (status == 0 && !verify.forest.ok)
      status = complain(&verify.forest);
  } else {
    status = out_error(&err);
  }
  bt_forest_dispose(&verify.forest);
  close(ledger);
  return status;
}

int cmd_verify(struct cli_env *cli, int argc, char **argv) {
  const char *dir = NULL;
  bool json = false, help = false;
  const struct option_spec specs[] = {
      {"dir", &dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"json", NULL, &json, NULL, "print one JSON document"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  const size_t count = sizeof specs / sizeof *specs;
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, NULL, &err);
  if (code == BT_OK && help) {
    printf("Usage: baton verify [--json] [--dir PATH]\n\n"
           "Checks every chain of the evidence: links, numbers, anchors, and signatures where a key is loaded.\n\n");
    options_print_help(specs, count);
    printf("\nExit status: 0 the evidence holds, 2 it is broken (the first broken entry is named), 1 failed.\n"
           "Without ADLC_MANIFEST_KEY signatures are unverifiable, and links alone decide.\n");
    return out_flush();
  }
  if (code == BT_OK)
    code = cli_env_set_dir(cli, dir, &err);
  return code == BT_OK ? run(cli, json) : out_error(&err);
}
