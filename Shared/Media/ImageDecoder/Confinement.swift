import CVips
import Glibc
import Images
import SystemCallFilter

/// What the process gives up before it reads a file that may be out to harm.
enum Confinement {
  /// Longer than the slowest picture takes on a slow machine; whoever started the decoder has a limit of its own in real time.
  private static let processorSeconds: rlim_t = 60

  /// Bounds that the libraries can be loaded within.
  static func beforeLibraries() {
    // Nobody waits for the answer of a decoder whose starter is gone.
    _ = tandem_die_with_starter()
    preferAsVictim()
    // Calls that are being answered come before pictures.
    _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
    limit(RLIMIT_CORE, 0)
    limit(RLIMIT_CPU, processorSeconds)
    limit(RLIMIT_DATA, rlim_t(ImageLimits.decoderMemory))
  }

  /// Nothing may be opened, connected, started or written any more but what is open: the socket.
  ///
  /// The bound of descriptors is one of numbers, and would be none for who closes one: what holds is the filter. It comes when the libraries are
  /// loaded, which opens files, and before threads are started, which it applies to.
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

  /// Where memory is short this process goes before any service does.
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
