/* core/model/delivery_words.c - sentences for codes; one that ends in a colon stands for all that begin so. */
#include "core/model/delivery_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct entry {
  const char *code, *words;
};

/* clang-format off */
static const struct entry verdicts[] = {
  {"usable", "it may go on with the next step"},
  {"open", "there is an open record; nothing was checked"},
  {"reconcile:head", "it may go on once the evidence that belongs to a head is renewed"},
  {"reconcile:merged", "it was merged: write that down, then verify the merge"},
  {"stale:", "do not go on: what the record rests on is not so any more"},
  {"corrupt", "the record cannot be used, and nothing behind it is looked at"},
  {"absent-authorization", "do not go on: the next step is not covered"},
  {"ambiguous-authorization", "ask first: it cannot be told whether the next step is covered"},
  {"ambiguous-live-state", "it cannot be told from here how things stand"},
  {"closed", "nothing to resume: the record is closed"},
  {"absent", "no delivery is recorded here"},
};

static const struct entry codes[] = {
  {"head:advanced", "the branch has new commits on top of the recorded head"},
  {"head:rewound", "the branch was set back to before the recorded head"},
  {"head:rewritten", "the branch was rewritten: the recorded head is not on it any more"},
  {"head:unknown", "this clone does not have one of the two heads"},
  {"head:unknown-live", "neither the pull request nor a branch here says what the head is now"},
  {"head:object-format", "the recorded head cannot be a commit of this repository"},
  {"evidence:other-head", "some evidence names another head"},
  {"branch:missing", "the branch is neither here nor known from the remote"},
  {"branch:change-dropped", "nothing of the change is left on the branch"},
  {"merge:extra-commits", "commits were merged that the record does not know"},
  {"merge:unverifiable", "this clone cannot tell which head was merged"},
  {"merge:conflicting-head", "another head was merged"},
  {"merge:reverted", "the merge was reverted"},
  {"pr:no-snapshot", "the forge was not asked about the pull request"},
  {"pr:unreadable", "the forge gave no answer that can be used"},
  {"pr:snapshot-old", "what the forge said is too old"},
  {"pr:wrong-number", "the answer is about another pull request"},
  {"pr:unknown-state", "the forge says a state that is not known"},
  {"pr:contradictory", "the forge says open, and when it was merged"},
  {"pr:missing", "the forge knows no such pull request"},
  {"pr:closed", "the pull request was closed without the change"},
  {"pr:merged", "the pull request was merged"},
  {"pr:merged-no-post-merge-verify", "it was merged, and nothing was left to verify"},
  {"repository:mismatch", "the remote of this clone is another repository"},
  {"repository:case-differs", "the remote differs in upper and lower case only"},
  {"remote:none", "there is no remote to compare with"},
  {"remote:ambiguous", "several remotes, and nothing says which"},
  {"remote:unparseable", "the address of the remote names no repository"},
  {"directive:withdrawn", "the directive was withdrawn"},
  {"directive:unconfirmed", "nobody has confirmed that the directive still holds"},
  {"authorized-empty", "nothing at all is authorized"},
  {"step:contradictory:", "it is granted and withheld at once"},
  {"step:out-of-scope:", "it is withheld"},
  {"step:inexact-grant:", "a grant comes near it, and does not name it exactly"},
  {"step:not-authorized:", "no grant covers it"},
  {"store:unreadable", "what lies there is no plain file, or cannot be read"},
  {"limit:", "it is larger than a record may be"},
  {"parse", "it is not JSON"},
  {"nul", "a text in it holds a NUL"},
  {"duplicate-key:", "a member is there twice"},
  {"missing:", "a member is not there"},
  {"type:", "a member has the wrong type"},
  {"value:", "a member has a value that it cannot have"},
  {"schema:unsupported", "it is a record of another version"},
  {"inconsistent:open-without-pending", "it is open, and nothing is pending"},
  {"inconsistent:pr-open-without-pr", "a pull request was opened, and none is named"},

  {"store-mismatch", "the record names another place than the one where it lies"},
  {"pr-store-unchecked", "no pull request's description was looked at; baton delivery validate --gh --pr ID does"},
  {"pr-unrecorded", "the record names no pull request, so that what the forge said does not count"},
  {"other-open-store", "there is another open record behind this one"},
  {"multiple-blocks", "the description holds several records"},
  {"local-differs-from-pr", "the branch here is not at the head of the pull request"},
  {"pr-head-unknown", "the forge did not say the head of the pull request"},
  {"base-unknown", "it is not known what the branch goes into"},
  {"rollback-unchecked", "whether the merge still stands could not be checked"},
  {"evidence-unbound:", "it names no head, and counts for the recorded one"},
  {"completed-not-pass:", "it did not pass"},
  {"watcher-duplicate:", "the watcher is recorded twice"},
  {"later-step-unauthorized:", "it is pending, and no grant covers it"},
  {"updated-in-future", "the record is from the future by this clock"},
  {"closed-with-faults", "the closed record has faults; it stays closed"},
  {"repository-of-pr-differs", "the pull request is of another repository"},

  {"refused:open-exists", "an open record is there already"},
  {"refused:corrupt-exists", "a record that cannot be read is in the way"},
  {"refused:reconcile-first", "the record is behind what is live"},
  {"refused:steps-remain", "a step is pending that nothing shows to be done"},
  {"refused:evidence-unbound", "the new evidence does not name the live head"},
  {"refused:tracked", "git tracks the record"},
  {"refused:staged", "the record is in git's index"},
  {"refused:not-excluded", "git would list the record: an ignore rule brings it back"},
  {"refused:unsafe-path", "a link, or what is no plain file, is in the record's place"},
  {"refused:changed-meanwhile", "somebody else has changed it since it was read"},
  {"refused:watcher-duplicate", "a watcher of the same thing may still run"},
  {"refused:watcher-unknown", "the watcher to be replaced is not recorded"},
  {"refused:publish-unconfirmed", "readers of the forge would see directive and watchers"},
};

static const struct entry next[] = {
  {"open", "baton delivery validate: may it go on?"},
  {"reconcile:head", "baton delivery reconcile --write, with the flags used here; --reverified brings evidence that names the new head"},
  {"reconcile:merged", "baton delivery reconcile --write, with the flags used here"},
  {"stale:", "baton delivery close --boundary-stop --detail WHY --write ends it; a new directive is a new delivery"},
  {"corrupt", "mend it by hand, or baton delivery record --replace-corrupt: a copy is kept"},
  {"absent-authorization", "ask who gave the directive; this record grants no more than it says"},
  {"ambiguous-authorization", "ask who gave the directive, and say --authorization current or withdrawn"},
  {"ambiguous-live-state", "git fetch, or look at the pull request; then validate again"},
  {"closed", "baton delivery record: a new directive is a new delivery"},
  {"absent", "baton delivery record writes one down; --gh --pr ID looks into a pull request, --host-store into a file"},
  {"written", "baton delivery validate looks again before anybody goes on"},
  {"refused:open-exists", "--update brings it up to date; baton delivery close ends it"},
  {"refused:corrupt-exists", "mend it by hand, or --replace-corrupt: a copy is kept"},
  {"refused:reconcile-first", "baton delivery reconcile --write, then close"},
  {"refused:steps-remain", "--completed GATE=VERDICT@EVIDENCE for each that is pending; for the only one --evidence"},
  {"refused:evidence-unbound", "evidence that holds the whole id of the live head"},
  {"refused:tracked", "git rm --cached on the record, and commit that; the file stays"},
  {"refused:staged", "git restore --staged on the record, or commit its removal; the file stays"},
  {"refused:not-excluded", "take the rule with `!` out of .gitignore"},
  {"refused:unsafe-path", "look at .verified-delivery: nothing there was touched"},
  {"refused:changed-meanwhile", "look at it again, then decide again"},
  {"refused:watcher-duplicate", "wait for it, --supersede it, or say --watcher-dead ID"},
  {"refused:watcher-unknown", "baton delivery show lists those that are recorded"},
  {"refused:publish-unconfirmed", "--confirm-publish, where that may be"},
};

/* Of a reason: more exact than what its verdict alone would say. */
static const struct entry next_by_reason[] = {
  {"pr:no-snapshot", "--gh asks the forge; --pr-state FILE takes what it has said before"},
  {"pr:snapshot-old", "--gh asks the forge anew"},
  {"pr:unreadable", "--gh asks again; --pr-state FILE takes what the forge has said elsewhere"},
  {"pr:wrong-number", "give the snapshot of the pull request that the record names"},
  {"remote:ambiguous", "--remote NAME says which"},
  {"remote:none", "--remote NAME says which, or git remote add"},
  {"repository:mismatch", "--remote NAME, where another remote is the delivery's; else go to its clone"},
  {"head:unknown-live", "git fetch, then validate again"},
  {"branch:missing", "git fetch, then validate again; where the branch is gone for good, close --boundary-stop ends it"},
  {"directive:unconfirmed", "ask who gave the directive, then say --authorization current or withdrawn"},
  {"step:", "ask who gave the directive; this record grants no more than it says"},
  {"store:unreadable", "look at what lies in the record's place: nothing of it was touched"},
};
/* clang-format on */

static const char *look_up(const struct entry *entries, size_t count, const char *code) {
  const struct entry *best = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(entries[i].code);
    bool family = entries[i].code[length - 1] == ':';
    if ((family ? strncmp(entries[i].code, code, length) : strcmp(entries[i].code, code)) != 0)
      continue;
    if (best == NULL || length > strlen(best->code))
      best = &entries[i];
  }
  return best != NULL ? best->words : NULL;
}

#define LOOK_UP(entries, code) look_up(entries, sizeof(entries) / sizeof *(entries), code)

const char *bt_delivery_verdict_means(const char *verdict) {
  const char *words = LOOK_UP(verdicts, verdict);
  return words != NULL ? words : "";
}

const char *bt_delivery_code_means(const char *code) {
  return LOOK_UP(codes, code);
}

const char *bt_delivery_what_next(const char *answer, const char *reason) {
  const char *by_reason =
      reason != NULL && strncmp(answer, "refused:", 8) != 0 ? LOOK_UP(next_by_reason, reason) : NULL;
  return by_reason != NULL ? by_reason : LOOK_UP(next, answer);
}
