import CSystemCall
import Glibc

/// System calls that decoding never needs.
enum ForbiddenCall: String, CaseIterable {
  case openat, openat2, socket, connect, bind, sendto, sendmsg, recvmsg, execve, execveat
  case fork, ptrace, kill, killParent = "tgkill-parent", unlinkat, mkdirat, renameat2
  case memfd = "memfd_create", uring = "io_uring_setup", bpf, userfaultfd, processRead = "process_vm_readv"
  case dup, dup3, pidfd = "pidfd_open", mount, setuid, seccomp, dumpable = "prctl-dumpable", unshare, personality
  #if arch(x86_64)
    case open, creat, oldFork = "fork-by-number"
  #endif

  /// Makes the call; 0 or the error's number.
  func make() -> Int32 {
    switch self {
    case .openat: path("/etc/passwd") { system_call(Int(__NR_openat), Int(AT_FDCWD), $0, Int(O_RDONLY), 0) }
    case .openat2:
      path("/etc/passwd") { name in
        // struct open_how: flags, mode, resolve.
        var how: [UInt64] = [0, 0, 0]
        return how.withUnsafeMutableBytes {
          system_call(Int(__NR_openat2), Int(AT_FDCWD), name, address($0), $0.count)
        }
      }
    case .execve: path("/bin/true") { system_call(Int(__NR_execve), $0, 0, 0, 0) }
    case .execveat: path("/bin/true") { system_call(Int(__NR_execveat), Int(AT_FDCWD), $0, 0, 0) }
    case .unlinkat: path("/nowhere") { system_call(Int(__NR_unlinkat), Int(AT_FDCWD), $0, 0, 0) }
    case .mkdirat: path("/nowhere/folder") { system_call(Int(__NR_mkdirat), Int(AT_FDCWD), $0, 0, 0) }
    case .renameat2: path("/nowhere") { system_call(Int(__NR_renameat2), Int(AT_FDCWD), $0, Int(AT_FDCWD), $0) }
    case .memfd: path("name") { system_call(Int(__NR_memfd_create), $0, 0, 0, 0) }
    case .mount: path("/nowhere") { system_call(Int(__NR_mount), $0, $0, $0, 0) }
    case .connect, .bind:
      withAddress { system_call(Int(self == .connect ? __NR_connect : __NR_bind), Int(STDIN_FILENO), $0, $1, 0) }
    #if arch(x86_64)
      case .open: path("/etc/passwd") { system_call(Int(__NR_open), $0, Int(O_RDONLY), 0, 0) }
      case .creat: path("/nowhere/file") { system_call(Int(__NR_creat), $0, 0, 0, 0) }
    #endif
    default: makeWithNumbers()
    }
  }

  private func makeWithNumbers() -> Int32 {
    let (number, first, second) = numbers
    return system_call(Int(number), first, second, 0, 0)
  }

  private var numbers: (Int32, Int, Int) {
    let this = Int(getpid())
    return switch self {
    case .socket: (__NR_socket, Int(AF_INET), Int(SOCK_STREAM.rawValue))
    case .sendto: (__NR_sendto, Int(STDIN_FILENO), 0)
    case .sendmsg: (__NR_sendmsg, Int(STDIN_FILENO), 0)
    case .recvmsg: (__NR_recvmsg, Int(STDIN_FILENO), 0)
    case .fork: (__NR_clone, Int(SIGCHLD), 0)
    case .kill: (__NR_kill, this, 0)
    case .killParent: (__NR_tgkill, Int(getppid()), Int(getppid()))
    case .ptrace: (__NR_ptrace, 0, 0)
    case .uring: (__NR_io_uring_setup, 1, 0)
    case .bpf: (__NR_bpf, 0, 0)
    case .userfaultfd: (__NR_userfaultfd, 1, 0)
    case .processRead: (__NR_process_vm_readv, this, 0)
    case .dup: (__NR_dup, Int(STDIN_FILENO), 0)
    case .dup3: (__NR_dup3, Int(STDIN_FILENO), Int(STDERR_FILENO))
    case .pidfd: (__NR_pidfd_open, this, 0)
    case .setuid: (__NR_setuid, Int(getuid()), 0)
    case .seccomp: (__NR_seccomp, 0, 0)
    case .dumpable: (__NR_prctl, 3, 0)
    case .unshare: (__NR_unshare, 0, 0)
    #if arch(x86_64)
      case .oldFork: (__NR_fork, 0, 0)
    #endif
    default: (__NR_personality, 0xFFFF_FFFF, 0)
    }
  }

  private func path(_ text: String, _ call: (Int) -> Int32) -> Int32 {
    text.withCString { call(Int(bitPattern: $0)) }
  }

  private func address(_ bytes: UnsafeMutableRawBufferPointer) -> Int { Int(bitPattern: bytes.baseAddress) }

  private func withAddress(_ call: (Int, Int) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeBytes(of: &address) { call(Int(bitPattern: $0.baseAddress), $0.count) }
  }
}
