#pragma once
#include <asm/unistd.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

/// A system call by its number, past the C library: 0, or the error's number.
static inline int system_call(long number, long first, long second, long third, long fourth) {
  return syscall(number, first, second, third, fourth, 0L, 0L) < 0 ? errno : 0;
}

/// Has the calling process, and the program that it becomes, live under a kernel that knows no filters; 0 when it does.
static inline int system_call_hide_filters(void) {
  struct sock_filter program[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_seccomp, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog header = {.len = sizeof program / sizeof *program, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &header) == 0 ? 0 : errno;
}
