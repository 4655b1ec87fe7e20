import CSystemCall
import Glibc
import SystemCallFilter

/// Does what a compromised decoder would do, as the tests ask:
///
/// - `system-call-probe filtered|bounded CALL` bounds its descriptors as the decoder does, puts the decoder's filter on or leaves it, closes
///   one of its three, and makes the call. It ends with 0 when that did something, with 1 when it was refused with EPERM, with 2 for every
///   other error.
/// - `system-call-probe calls` lists the calls that it knows.
/// - `system-call-probe without-seccomp PROGRAM ARGUMENT…` becomes the program, under a kernel that knows no filters.
@main
struct Probe {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "filtered", "bounded":
      guard words.count == 2, let call = ForbiddenCall(rawValue: words[1]) else { exit(64) }
      bound()
      if words[0] == "filtered" { filter() }
      close(STDERR_FILENO)
      end(after: call.make())
    case "calls": print(ForbiddenCall.allCases.map(\.rawValue).joined(separator: "\n"))
    case "without-seccomp":
      guard system_call_hide_filters() == 0 else { exit(65) }
      var arguments = words.dropFirst().map { strdup($0) } + [nil]
      execv(words[1], &arguments)
      exit(66)
    default: exit(64)
    }
  }

  /// A socket as input, so that there is one to connect, and no free number for a fourth descriptor.
  private static func bound() {
    let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard dup2(datagrams, STDIN_FILENO) == STDIN_FILENO else { exit(67) }
    close(datagrams)
    var limit = rlimit(rlim_cur: rlim_t(STDERR_FILENO + 1), rlim_max: rlim_t(STDERR_FILENO + 1))
    guard setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(68) }
  }

  private static func filter() {
    do throws(SystemCallFilter.Unavailable) { try SystemCallFilter.decoding.install() } catch { exit(69) }
  }

  private static func end(after error: Int32) -> Never {
    exit(error == 0 ? 0 : error == EPERM ? 1 : 2)
  }
}
