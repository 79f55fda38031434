/* cli/libraries.h - names and versions of the libraries that this program runs with. */
#ifndef BATON_CLI_LIBRARIES_H
#define BATON_CLI_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

/* The one with that number, "cJSON 1.7.15"; false past the last. */
bool library_at(size_t index, char *out, size_t size);

#endif
