import Foundation
import Glibc
public import ServiceRuntime
import Synchronization
import TTRPC
import Testing

/// With which reasons services under test refuse calls ([C-3]).
///
/// One that the contract does not name for the method fails the run. Each is written once, as a line `service/method REASON`, to the file
/// that TANDEM_SEEN_REFUSALS names, where it is set: `Tests/Refusals/unseen` compares it with the contract.
public enum SeenRefusals {
  private struct Seen: Hashable {
    let method: String
    let reason: String
  }

  private static let seen = Mutex<Set<Seen>>([])
  private static let file = ProcessInfo.processInfo.environment["TANDEM_SEEN_REFUSALS"]

  /// Notes one; on any thread.
  @Sendable
  public static func note(_ refusal: ObservedRefusal) {
    let one = Seen(method: refusal.method.fullName, reason: refusal.reason)
    guard seen.withLock({ $0.insert(one).inserted }) else { return }
    if !refusal.isInContract {
      Issue.record("\(one.method) refuses with \(one.reason), which its comment in the contract does not name")
    }
    guard let file else { return }
    // Loops of several services write at once: a line is appended by one write.
    let output = open(file, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard output >= 0 else { return }
    let line = Array("\(one.method) \(one.reason)\n".utf8)
    _ = write(output, line, line.count)
    close(output)
  }
}
