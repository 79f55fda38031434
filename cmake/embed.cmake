# baton_embed(FILE SYMBOL): the file's bytes as a header of that name, `#include "SYMBOL_embed.h"`, which defines
# `static const unsigned char SYMBOL[]` (with a final NUL) and the enum constant SYMBOL_length (without it).
# Bytes, not a quoted string: CMake lists eat `;` and `[`, and C limits how long a literal may be.
function(baton_embed file symbol)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(READ ${CMAKE_SOURCE_DIR}/${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR length "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" lines "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${lines}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${symbol}_embed.h CONTENT
"/* Generated from ${file}. */
static const unsigned char ${symbol}[] = {
${bytes}0x00};
enum { ${symbol}_length = ${length} };
")
endfunction()
