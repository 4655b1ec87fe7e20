import FieldViolations
import Idempotency
import Identifiers
import ImporterDomain
import ImporterOperations
import OAuth2
import Postgres
import Synchronization
import TTRPC
import TandemImporter

extension Trackers {
  /// Exchanges what the provider sent the browser back with for tokens, and starts the first import ([IM-2]).
  package func completeConnection(_ call: CompleteConnectionRequest, _ context: CallContext) async throws -> Tracker {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let key = context.requestKey(requestID)
    if let first: Tracker = try await idempotency.firstAnswer(to: call, key) { return first }
    let place = key.map { underWay.begin($0) }
    defer { place?.leave() }
    guard let attempt = try await operations.useAttempt(state: call.state, of: user) else {
      // The attempt may have been used by the same call a moment ago, which has still to ask the provider. Whichever of them it
      // was goes on; the others wait for it, and not for each other.
      place?.leave()
      if let first = try await answerUnderWay(to: call, key) { return first }
      throw TrackerRefusal.attemptInvalid
    }
    let answer = AuthorizationAnswer(code: call.code, issuer: call.issuer, error: call.error)
    let consent: TrackerConsent
    do {
      consent = try await operations.requestConsent(of: user, by: attempt, answer, scopes: call.scope)
    } catch let failure as OAuth2Failure { throw Status.connection(failure) }
    do {
      return try await idempotency.execute(call, key) { tx in
        let (connection, last) = try await operations.completeConnection(of: user, by: consent, tx)
        return Tracker(consent.provider, connection, last: last, isPaused: false)
      }
    } catch let error as PostgresError where error.constraint == "tracker_connections_of_subject" {
      throw TrackerRefusal.trackerOfAnother
    } catch let failure as TrackerFailure {
      try await operations.giveBack(consent)
      throw failure
    }
  }

  /// The answer to the same call, once it is there: as long as one of them runs that has not found the attempt used.
  private func answerUnderWay(to call: CompleteConnectionRequest, _ key: RequestKey?) async throws -> Tracker? {
    guard let key else { return nil }
    let end = ContinuousClock.now + Self.maxExchangeTime
    while true {
      if let first: Tracker = try await idempotency.firstAnswer(to: call, key) { return first }
      guard ContinuousClock.now < end, underWay.contains(key) else {
        return try await idempotency.firstAnswer(to: call, key)
      }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Longer than the requests to the provider may take.
  private static let maxExchangeTime: Duration = .seconds(60)
}

/// The completions with a `request_id` that run in this process: a repetition waits for the answer of the one that goes on.
final class CompletionsUnderWay: Sendable {
  private let running = Mutex<[RequestKey: Int]>([:])

  /// Counts a completion until its place is left.
  func begin(_ key: RequestKey) -> Place {
    running.withLock { $0[key, default: 0] += 1 }
    return Place(of: key, in: self)
  }

  func contains(_ key: RequestKey) -> Bool { running.withLock { $0[key] != nil } }

  private func end(_ key: RequestKey) {
    running.withLock { running in
      let rest = (running[key] ?? 0) - 1
      running[key] = rest > 0 ? rest : nil
    }
  }

  /// One completion's; leaving it again does nothing.
  final class Place: Sendable {
    private let key: RequestKey
    private let underWay: CompletionsUnderWay
    private let isLeft = Atomic(false)

    fileprivate init(of key: RequestKey, in underWay: CompletionsUnderWay) {
      (self.key, self.underWay) = (key, underWay)
    }

    func leave() {
      guard !isLeft.exchange(true, ordering: .relaxed) else { return }
      underWay.end(key)
    }
  }
}
