import ChatDomain
import Identifiers
import Synchronization
import TTRPC

/// How much each user has sent at this replica lately.
final class SendRates: Sendable {
  private let allowances = Mutex<[UserID: SendAllowance]>([:])
  private let start = ContinuousClock.now

  /// Users that are remembered: beyond that those are forgotten who have their whole allowance.
  private static let maxCount = 10_000

  /// Counts a message of a user.
  func count(_ user: UserID) throws(Status) {
    let now = ContinuousClock.now - start
    let wait = allowances.withLock { allowances in
      if allowances.count >= Self.maxCount { allowances = allowances.filter { !$0.value.isFull(at: now) } }
      return allowances[user, default: SendAllowance(at: now)].take(at: now)
    }
    if let wait { throw .sentTooMuch(retryAfter: wait) }
  }
}
