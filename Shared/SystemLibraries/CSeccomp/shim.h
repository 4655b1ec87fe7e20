#pragma once
#include <asm/unistd.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

// What Swift cannot call or see: variadic functions, and constants that are expressions.

/// What the kernel says the processor is that a call was made by; 0 for one that no filter is known for.
#if defined(__x86_64__)
static const unsigned tandem_audit_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const unsigned tandem_audit_architecture = AUDIT_ARCH_AARCH64;
#else
static const unsigned tandem_audit_architecture = 0;
#endif

/// Whether the kernel, and whoever holds the process in check already, have filters that kill; changes nothing. 0 when they have.
static inline int tandem_seccomp_has_filters(void) {
  if (tandem_audit_architecture == 0) return ENOSYS;
  unsigned action = SECCOMP_RET_KILL_PROCESS;
  return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0UL, &action) == 0 ? 0 : errno;
}

/// Has every thread of the process, now and later, held to a filter that nothing takes off; 0 or the error's number.
static inline int tandem_seccomp_install(const struct sock_fprog *_Nonnull program) {
  if (tandem_audit_architecture == 0) return ENOSYS;
  // The kernel wants to be sure that no program is started that has more rights.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return errno;
  long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
  if (result < 0) return errno;
  // The number of a thread that has a filter which this one does not follow from.
  return result == 0 ? 0 : ESRCH;
}
