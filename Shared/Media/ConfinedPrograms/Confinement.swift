import CSpawn
import Glibc
import SystemCallFilter

/// The restrictions that a process applies to itself before it reads a file that may be malicious.
package enum Confinement {
  /// Whether a process works where the kernel does not filter its system calls.
  package enum Filter: Sendable {
    /// It works only with the filter.
    case required
    /// It works without the filter too, within its other limits.
    case optional
  }

  /// Limits that do not prevent the libraries from being loaded.
  ///
  /// - Parameters:
  ///   - memory: private memory in bytes.
  ///   - processorSeconds: longer than the slowest file takes on a slow machine; the process that started this one has a limit of its own
  ///     in real time.
  package static func beforeLibraries(memory: Int, processorSeconds: Int) {
    // Without its parent no process reads the response.
    _ = tandem_die_with_starter()
    preferAsVictim()
    // The services' calls have priority over files.
    _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
    limit(RLIMIT_CORE, 0)
    // Its end by this limit is SIGXCPU: SIGKILL is what the kernel sends where memory is short.
    limit(RLIMIT_CPU, rlim_t(processorSeconds), atMost: rlim_t(processorSeconds) + 5)
    limit(RLIMIT_DATA, rlim_t(memory))
  }

  /// From now on nothing can be opened, connected, started or written but what is open: the socket.
  ///
  /// The limit of descriptors is one of their numbers, so closing one would allow another: the filter is what prevents
  /// that. It is installed after the libraries are loaded, which opens files, and before threads are started, to which
  /// it applies.
  /// - Returns: whether the process may go on.
  package static func beforeInput(_ filter: Filter) -> Bool {
    limit(RLIMIT_FSIZE, 0)
    limit(RLIMIT_NOFILE, rlim_t(STDERR_FILENO + 1))
    do throws(SystemCallFilter.Unavailable) {
      try SystemCallFilter.decoding.install()
      return true
    } catch {
      return filter == .optional
    }
  }

  /// Where memory is short, the kernel ends this process before any service.
  private static func preferAsVictim() {
    let file = open("/proc/self/oom_score_adj", O_WRONLY)
    guard file >= 0 else { return }
    _ = "1000".withCString { write(file, $0, 4) }
    close(file)
  }

  private static func limit(_ resource: __rlimit_resource, _ value: rlim_t, atMost most: rlim_t? = nil) {
    var bound = rlimit(rlim_cur: value, rlim_max: most ?? value)
    _ = setrlimit(Int32(resource.rawValue), &bound)
  }
}
