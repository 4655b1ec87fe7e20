import CVips
import Glibc
import Images
import SystemCallFilter

/// The restrictions that the process applies to itself before it reads a file that may be malicious.
enum Confinement {
  /// Longer than the slowest picture takes on a slow machine; the process that started the decoder has a limit of its
  /// own in real time.
  private static let processorSeconds: rlim_t = 60

  /// Limits that do not prevent the libraries from being loaded.
  static func beforeLibraries() {
    // Without its parent no process reads the decoder's response.
    _ = tandem_die_with_starter()
    preferAsVictim()
    // The services' calls have priority over pictures.
    _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
    limit(RLIMIT_CORE, 0)
    limit(RLIMIT_CPU, processorSeconds)
    limit(RLIMIT_DATA, rlim_t(ImageLimits.decoderMemory))
  }

  /// From now on nothing can be opened, connected, started or written but what is open: the socket.
  ///
  /// The limit of descriptors is one of their numbers, so closing one would allow another: the filter is what prevents
  /// that. It is installed after the libraries are loaded, which opens files, and before threads are started, to which
  /// it applies.
  /// - Returns: whether the decoder may go on.
  static func beforeInput(_ filter: DecoderFilter) -> Bool {
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

  private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) {
    var bound = rlimit(rlim_cur: value, rlim_max: value)
    _ = setrlimit(Int32(resource.rawValue), &bound)
  }
}
