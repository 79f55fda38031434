/* tests/vectors/areas.c - the table of areas, made from areas.def. */
#include "tests/vectors/area.h"

const struct vec_area vec_areas[] = {
#define VEC_AREA(suffix, name) {name, vec_run_##suffix},
#include "tests/vectors/areas.def"
#undef VEC_AREA
};
const size_t vec_area_count = sizeof vec_areas / sizeof vec_areas[0];
