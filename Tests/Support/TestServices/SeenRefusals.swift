import Foundation
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
    guard let file, let handle = FileHandle(forWritingAtPath: file) else { return }
    // Several tests may write: a line is appended by one write.
    _ = try? handle.seekToEnd()
    try? handle.write(contentsOf: Data("\(one.method) \(one.reason)\n".utf8))
    try? handle.close()
  }
}
