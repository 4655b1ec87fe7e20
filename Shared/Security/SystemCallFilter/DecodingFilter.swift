import CSeccomp
import Glibc

extension SystemCallFilter {
  /// The calls that remain for a process that only computes: it reads and writes what is open, has memory and threads,
  /// and ends.
  ///
  /// Calls that libraries try on the way are refused with EPERM, which they treat like a missing file: libvips' Orc
  /// looks for a place for the code that it generates, glib for the time zone of a warning. All other calls kill the
  /// process: only injected code makes such a call, and a signal is what the service sees and the operator can look
  /// for.
  public static var decoding: SystemCallFilter {
    SystemCallFilter(
      (work + time).map { Rule(call: $0, verdict: .allow) } + threads + ends
        + tried.map { Rule(call: $0, verdict: .refuse(EPERM)) })
  }

  /// Calls for bytes and memory.
  private static let work: [Int32] = [
    __NR_futex, __NR_read, __NR_write, __NR_mmap, __NR_munmap, __NR_brk, __NR_mremap, __NR_mprotect, __NR_madvise,
    __NR_readv, __NR_writev, __NR_lseek, __NR_close, __NR_getrandom, __NR_sysinfo,
  ]

  private static let time: [Int32] = [
    __NR_clock_gettime, __NR_clock_getres, __NR_gettimeofday, __NR_nanosleep, __NR_clock_nanosleep,
  ]

  /// The flags for a thread of the same process, as glibc (0x3d0f00) and musl (with CLONE_DETACHED) set them.
  private static let thread = Condition.flags(
    required: UInt32(CLONE_VM | CLONE_SIGHAND | CLONE_THREAD),
    allowed: UInt32(
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS
        | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_DETACHED))

  private static let threads =
    [
      // Its flags are in memory, which a filter cannot read. glibc then makes the thread with clone.
      Rule(call: __NR_clone3, verdict: .refuse(ENOSYS)),
      Rule(call: __NR_clone, condition: thread, verdict: .allow),
      Rule(call: __NR_prctl, condition: .equals(UInt32(PR_SET_NAME)), verdict: .allow, otherwise: .refuse(EPERM)),
    ]
    + [
      __NR_rt_sigprocmask, __NR_rt_sigaction, __NR_rt_sigreturn, __NR_sigaltstack, __NR_rseq, __NR_set_robust_list,
      __NR_membarrier, __NR_sched_yield, __NR_sched_getaffinity, __NR_getpid, __NR_gettid, __NR_restart_syscall,
    ].map { Rule(call: $0, verdict: .allow) }

  private static var ends: [Rule] {
    [__NR_exit, __NR_exit_group].map { Rule(call: $0, verdict: .allow) }
      // abort() ends its own process so; no other process can be named.
      + [Rule(call: __NR_tgkill, condition: .equals(UInt32(getpid())), verdict: .allow)]
  }

  private static let tried: [Int32] =
    [
      __NR_openat, __NR_faccessat, __NR_faccessat2, __NR_newfstatat, __NR_fstat, __NR_statx, __NR_readlinkat,
      __NR_getdents64, __NR_umask, __NR_ioctl, __NR_fcntl, __NR_getpeername, __NR_getsockname, __NR_ppoll,
      __NR_sched_getattr, __NR_sched_setattr, __NR_sched_getparam, __NR_sched_getscheduler, __NR_prlimit64,
      __NR_getrusage, __NR_uname, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getcpu,
    ] + triedByOlderNames

  #if arch(x86_64)
    /// Calls that only this older architecture has.
    private static let triedByOlderNames: [Int32] = [
      __NR_open, __NR_access, __NR_stat, __NR_lstat, __NR_readlink, __NR_getdents, __NR_poll, __NR_getrlimit, __NR_time,
    ]
  #else
    private static let triedByOlderNames: [Int32] = []
  #endif
}
