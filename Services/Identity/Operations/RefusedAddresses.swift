import Identifiers
import Synchronization

/// A cache of throttled client addresses ([ID-10]): for a second they are refused without a query, so that an address
/// which keeps trying does not slow down other clients.
///
/// The database decides. An entry never outlasts the database's refusal, and is not shared with other replicas.
final class RefusedAddresses: Sendable {
  private struct Refusal {
    let end: Instant
    let isBelievedUntil: Instant
  }

  private let refusals = Mutex<[[UInt8]: Refusal]>([:])

  /// The lifetime of an entry.
  private static let time = Duration.seconds(1)
  /// The maximum number of addresses; when it is exceeded, all are forgotten.
  private static let maxCount = 4_096

  /// Records that an address, given as a SHA-256, is throttled until `end`.
  func add(_ address: [UInt8], until end: Instant, at now: Instant) {
    refusals.withLock { refusals in
      if refusals.count >= Self.maxCount { refusals.removeAll(keepingCapacity: true) }
      refusals[address] = Refusal(end: end, isBelievedUntil: min(end, now + Self.time))
    }
  }

  /// The remaining wait of `address`; `nil` when it must be looked up.
  func wait(of address: [UInt8], at now: Instant) -> Duration? {
    refusals.withLock { refusals in
      guard let refusal = refusals[address] else { return nil }
      if refusal.isBelievedUntil > now { return refusal.end - now }
      refusals[address] = nil
      return nil
    }
  }
}
