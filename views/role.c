/* views/role.c - letters of the roles. */
#include "views/role.h"

char bt_role_letter(enum bt_role role) {
  static const char letters[] = {
#define BT_ROLE_LETTER(name, letter, words) letter,
      BT_ROLES(BT_ROLE_LETTER)
#undef BT_ROLE_LETTER
  };
  unsigned index = (unsigned)role;
  return index < BT_ROLE_COUNT ? letters[index] : '.';
}
