/* tests/vectors/area_hmac.c - signed messages and their signatures, made and checked. */
#include <string.h>

#include "core/base/utf8.h"
#include "core/store/auth.h"
#include "core/store/grant.h"
#include "core/store/sign.h"
#include "tests/vectors/support.h"

typedef void (*payload_fn)(struct bt_str *out, const struct bt_json *document);

static bool entry_holds(const struct bt_json *document, struct bt_key key) {
  return bt_entry_verify(document, key, NULL);
}

static const struct kind {
  const char *name; /* what follows sign_ and verify_ */
  payload_fn payload;
  bool (*verify)(const struct bt_json *document, struct bt_key key);
} kinds[] = {{"resume_auth", bt_auth_payload, bt_auth_verify},
             {"bypass_grant", bt_grant_payload, bt_grant_verify},
             {"entry", bt_entry_payload, entry_holds}};

static enum vec_result check_signing(const struct vec_case *vec, const struct kind *kind, struct bt_key key,
                                     const struct bt_json *document) {
  struct bt_str payload, text;
  char sig[BT_SHA256_HEX] = "";
  bt_str_init(&payload, VEC_TEXT_MAX);
  bt_str_init(&text, VEC_TEXT_MAX);
  kind->payload(&payload, document);
  bt_utf8_decode8(&text, payload.data, payload.length);
  bool ok = vec_expect_text(vec, "payload", bt_json_get_string(vec->expected, "payload"), text.data);
  bool made = bt_sign_hex(key, &payload, sig);
  ok = vec_expect_text(vec, "sig", bt_json_get_string(vec->expected, "sig"), made ? sig : NULL) && ok;
  bt_str_dispose(&payload);
  bt_str_dispose(&text);
  return ok ? VEC_PASS : VEC_FAIL;
}

static enum vec_result run(const struct vec_case *vec, const struct kind *kind, bool sign) {
  const char *text = NULL;
  static const char *const members[] = {"fields_json", "entry_json", "doc_json"};
  for (size_t i = 0; i < sizeof members / sizeof *members && text == NULL; i++)
    text = bt_json_get_string(vec->input, members[i]);
  size_t key_length = 0;
  const char *key_text = vec_get_text(vec->input, "key", &key_length);
  struct bt_str raw_key;
  bt_str_init(&raw_key, VEC_TEXT_MAX);
  bt_utf8_encode8(&raw_key, key_text != NULL ? key_text : "", key_length);
  struct bt_key key = {.bytes = raw_key.data, .length = raw_key.length};
  struct bt_json *document = text != NULL ? bt_json_parse_text(text, strlen(text), NULL) : NULL;
  enum vec_result result = VEC_FAIL;
  if (document == NULL)
    (void)vec_fail(vec, "the document is no JSON");
  else if (sign)
    result = check_signing(vec, kind, key, document);
  else if (vec_expect_bool(vec, "valid", vec_get_bool(vec->expected, "valid", false), kind->verify(document, key)))
    result = VEC_PASS;
  bt_json_free(document);
  bt_str_dispose(&raw_key);
  return result;
}

enum vec_result vec_run_hmac(const struct vec_case *vec) {
  const char *op = bt_json_get_string(vec->input, "op");
  bool sign = op != NULL && bt_starts_with(op, "sign_");
  const char *what = op == NULL ? "" : sign ? op + 5 : bt_starts_with(op, "verify_") ? op + 7 : "";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(what, kinds[i].name) == 0)
      return run(vec, &kinds[i], sign);
  }
  return vec_skip(vec, "unknown op %s", op != NULL ? op : "(none)");
}
