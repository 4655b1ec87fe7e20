import Synchronization

/// Bounds how many calls are retried, so that clients do not multiply the load of a server that fails: every failure
/// takes a token, every success returns part of one, and nothing is retried while half of the tokens or fewer are left.
/// The same as gRPC's retry throttling.
final class RetryBudget: Sendable {
  /// The full budget, in thousandths of a token, as all amounts here.
  private let most: Int
  private let perSuccess: Int
  private let tokens: Atomic<Int>

  private static let token = 1_000

  init(tokens: Int, tokensPerSuccess: Double) {
    most = tokens * Self.token
    perSuccess = Int(tokensPerSuccess * Double(Self.token))
    self.tokens = Atomic(most)
  }

  /// Counts a call that succeeded.
  func succeeded() {
    // A full budget, the usual case, costs one read. Calls that succeed at the same time may overfill it, each by a
    // part of a token.
    let now = tokens.load(ordering: .relaxed)
    guard now < most else { return }
    tokens.add(min(perSuccess, most - now), ordering: .relaxed)
  }

  /// Counts a call that failed; returns whether it may be retried.
  func failed() -> Bool {
    var now = tokens.load(ordering: .relaxed)
    while true {
      let left = max(now - Self.token, 0)
      let (isDone, found) = tokens.weakCompareExchange(expected: now, desired: left, ordering: .relaxed)
      if isDone { return left > most / 2 }
      now = found
    }
  }
}
