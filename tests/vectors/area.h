/* tests/vectors/area.h - what a vector area has to offer: one function that judges one case.
 *
 * An area is one area_<name>.c and one line in areas.def. A case runs in a child process of the driver: a crash or a
 * hang costs that case and nothing else. */
#ifndef BATON_TESTS_VECTORS_AREA_H
#define BATON_TESTS_VECTORS_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/json.h"

enum vec_result { VEC_PASS, VEC_FAIL, VEC_SKIP };

/* One case as the area sees it. Everything is borrowed; `$parts`, `$num`, `$undefined` and `segments` are resolved
 * already (an absent member is missing, an absent element is null). */
struct vec_case {
  const char *area;
  const char *list; /* member of the file that holds the case: "cases" in most */
  const char *name;
  const struct bt_json *document; /* the whole file as it stands */
  const struct bt_json *json;     /* the whole case */
  const struct bt_json *input;    /* its `input`, NULL where it has none */
  const struct bt_json *expected; /* its `expected` */
  bool incremental;               /* --incremental: feed a transcript in pieces */
};

/* Says on stderr what differed (the first few lines of a case; further ones are counted). Answers VEC_FAIL. */
enum vec_result vec_fail(const struct vec_case *vec, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Says why a case cannot run here. Answers VEC_SKIP. */
enum vec_result vec_skip(const struct vec_case *vec, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct vec_area {
  const char *name;
  enum vec_result (*run)(const struct vec_case *vec);
};

extern const struct vec_area vec_areas[];
extern const size_t vec_area_count;

#define VEC_AREA(suffix, name) enum vec_result vec_run_##suffix(const struct vec_case *vec);
#include "tests/vectors/areas.def"
#undef VEC_AREA

#endif
