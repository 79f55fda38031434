/* core/store/repo_find.h - a first look at whether there is a repository, before libgit2 or git is started.
 *
 * Owns: the walk to the nearest .git, and which repositories are not for libgit2 at all. libgit2 1.5 refuses most of
 * those of format version 1, and leaks memory each time it opens one. Must not know: what is in the repository. */
#ifndef BATON_CORE_STORE_REPO_FIND_H
#define BATON_CORE_STORE_REPO_FIND_H

enum bt_repo_find {
  BT_FIND_NONE,   /* neither `root` nor a folder above it can be taken for a repository or a part of one */
  BT_FIND_PLAIN,  /* the nearest .git is one of format version 0 */
  BT_FIND_ASK_GIT /* something else: bare, inside .git, version 1, a link, unreadable */
};

/* `root` is absolute. GIT_DIR and the like are the caller's to look at. */
enum bt_repo_find bt_repo_find(const char *root);

#endif
