/* bench/libgit2_min.c - the smallest libgit2 program that opens a repository and lists its status: the floor for `continue`. */
#include <git2.h>
#include <stdio.h>

int main(int argc, char **argv) {
  git_repository *repository = NULL;
  git_status_list *list = NULL;
  git_status_options options;
  git_libgit2_init();
  git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
  options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_RENAMES_HEAD_TO_INDEX;
  if (git_repository_open(&repository, argc > 1 ? argv[1] : ".") || git_status_list_new(&list, repository, &options))
    return 1;
  printf("%zu\n", git_status_list_entrycount(list));
  git_status_list_free(list);
  git_repository_free(repository);
  git_libgit2_shutdown();
  return 0;
}
