import Identifiers
import Synchronization

/// Client addresses that the database has just said to be held off ([ID-10]): for a second they are refused without asking it again, so that
/// an address which goes on all the same costs others nothing.
///
/// The database alone decides. What is remembered here is never longer than it said, and no other replica needs to know.
final class RefusedAddresses: Sendable {
  private struct Refusal {
    let end: Instant
    let isBelievedUntil: Instant
  }

  private let refusals = Mutex<[[UInt8]: Refusal]>([:])

  /// How long one is believed.
  private static let time = Duration.seconds(1)
  /// Addresses that are remembered; with one more all are asked for again.
  private static let most = 4_096

  /// Remembers that an address, as a SHA-256, is held off until `end`.
  func add(_ address: [UInt8], until end: Instant, at now: Instant) {
    refusals.withLock { refusals in
      if refusals.count >= Self.most { refusals.removeAll(keepingCapacity: true) }
      refusals[address] = Refusal(end: end, isBelievedUntil: min(end, now + Self.time))
    }
  }

  /// How much longer `address` is known to be held off; `nil` when that has to be asked for.
  func wait(of address: [UInt8], at now: Instant) -> Duration? {
    refusals.withLock { refusals in
      guard let refusal = refusals[address] else { return nil }
      if refusal.isBelievedUntil > now { return refusal.end - now }
      refusals[address] = nil
      return nil
    }
  }
}
