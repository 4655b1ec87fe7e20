#pragma once
#include <spawn.h>
#include <sys/prctl.h>

// glibc declares it only for who asks for GNU's extensions, which Swift's import of its headers does not.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/// Has the program that is started inherit no descriptor from `lowest` on; 0 when it will.
static inline int tandem_close_from(posix_spawn_file_actions_t *_Nonnull actions, int lowest) {
  return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

/// The calling process is killed as soon as the thread that started it is gone.
static inline int tandem_die_with_starter(void) { return prctl(PR_SET_PDEATHSIG, 9UL, 0UL, 0UL, 0UL); }
