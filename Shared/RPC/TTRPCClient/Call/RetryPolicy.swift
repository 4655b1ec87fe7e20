import Backoff
import NIOCore
import TTRPC
import TTRPCFrames

/// When a client retries a call that failed with UNAVAILABLE.
///
/// A call is retried when its method is idempotent, or when no server began it; streams only until they are open. The
/// wait is what the server asks for by `RetryInfo`, else ``backoff``. A call is never retried past its deadline.
public struct RetryPolicy: Sendable {
  /// Attempts of one call in all, the first included.
  public var attempts = 4
  /// Between attempts, where the server does not ask for a wait.
  public var backoff = Backoff(first: .milliseconds(50), max: .seconds(1), factor: 1.6)
  /// A call whose server asks for a longer wait is not retried.
  public var maxWait = Duration.seconds(5)
  /// Failures that empty the budget; nothing is retried while half of it or less is left. One budget serves all calls
  /// of a client.
  public var budget = 1_000
  /// What a successful call returns to the budget.
  public var budgetPerSuccess = 0.1

  /// Four attempts, and retries of about a tenth of the calls in the long run.
  public init() {}

  /// No retries: every failure goes to the caller.
  public static var none: RetryPolicy {
    var policy = RetryPolicy()
    policy.attempts = 1
    return policy
  }
}

/// How an attempt of a call failed, where this side detected the failure.
struct AttemptFailure: Error {
  enum Fate {
    /// No server began the call.
    case notBegun
    /// A server may have begun the call, or even completed it.
    case unknown
  }

  /// The status for the caller when the call is not retried.
  let status: Status
  let fate: Fate
}

/// The attempts of one call.
struct Retry {
  let method: MethodDescriptor
  let deadline: NIODeadline?
  let policy: RetryPolicy
  let budget: RetryBudget
  private var failures = 0

  init(_ method: MethodDescriptor, _ deadline: NIODeadline?, _ policy: RetryPolicy, _ budget: RetryBudget) {
    self.method = method
    self.deadline = deadline
    self.policy = policy
    self.budget = budget
  }

  /// How long to wait before the retry.
  ///
  /// - Throws: the error for the caller, when there is no retry.
  mutating func delay(after error: any Error, chance: Double) throws -> TimeAmount {
    failures += 1
    let (status, mayRepeat) = try judge(error)
    let ownDelay = TimeAmount(policy.backoff.delay(after: failures, chance: chance))
    guard mayRepeat, failures < policy.attempts, let delay = delay(asked: status, error, own: ownDelay) else {
      throw status
    }
    if let deadline, .now() + delay >= deadline { throw status }
    return delay
  }

  /// Counts the failure against the budget where it came from a server or a connection.
  private func judge(_ error: any Error) throws -> (Status, mayRepeat: Bool) {
    switch error {
    case let failure as AttemptFailure:
      guard failure.status.code == .unavailable else { throw failure.status }
      if failure.fate == .notBegun { return (failure.status, true) }
      return (failure.status, budget.failed() && method.idempotent)
    case let status as Status where status.code == .unavailable:
      return (status, budget.failed() && (method.idempotent || status.isDraining))
    default: throw error
    }
  }

  /// `nil` when the wait is too long.
  private func delay(asked status: Status, _ error: any Error, own: TimeAmount) -> TimeAmount? {
    // A connection that broke does not show how long the server will be away, and there may be others.
    if (error as? AttemptFailure)?.fate == .unknown { return own }
    guard let asked = status.retryAfter else { return own }
    guard asked <= policy.maxWait else { return nil }
    // Spread, and not just before the end of the wait that the server asked for.
    return .nanoseconds(asked.nanoseconds + own.nanoseconds / 4)
  }
}
