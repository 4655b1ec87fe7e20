import Environment
import Identifiers
import ImporterDomain
import ImporterStore
import OutboundHTTP
import ProviderAdapters
import WorkerPool

/// Why there is no page.
package enum FetchFailure: Error, Sendable, Equatable {
  case token(TokenFailure)
  case notGranted
  /// The provider lets nothing through for this long.
  case tooMany(Duration)
  case gone
  /// Another attempt may succeed, not before the time that the provider names.
  case failing(wait: Duration?)
  /// The answer is longer than any that is read.
  case tooLong
  /// The answer is none that the adapter can read, for this reason.
  case answer(String)
}

/// Fetches one page with its further requests.
package struct PageFetch: Sendable {
  let provider: ConfiguredProvider
  let connection: ConnectionID
  let client: ProviderClient
  let tokens: TokenKeeper
  let environment: Environment
  let metrics: TrackerMetrics
  let work: HeavyWork
  /// Whose import it is.
  let user: UserID

  /// Further requests of one page; adapters ask for fewer records than that.
  private static let maxDetails = 100
  /// If the provider does not say how long to wait.
  private static let usualWait: Duration = .seconds(60)

  /// How long further requests of one page may take until what they have brought is stored.
  private static let share: Duration = .seconds(10)

  /// A page, and what the provider said about further requests.
  package struct Outcome: Sendable {
    /// Of a page that was interrupted, the activities that are whole.
    package var page: DataPage
    package var allowance = RequestAllowance()
    package var interruption: Interruption?
    /// Of all that is on the page (``DataPage/digest``).
    package var digest: Int64?
  }

  /// What the provider answered, and what that means.
  private struct Answer: Sendable {
    let data: DataAnswer
    let retryAfter: Duration?
    let verdict: AnswerVerdict
  }

  /// Why a page is not whole.
  package enum Interruption: Sendable {
    case failure(FetchFailure)
    /// It takes long; what there is, is to be stored.
    case time
  }

  /// - Parameter done: the provider's ids of the page's activities that are stored, of a page that was interrupted before.
  package func page(
    of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?, without done: Set<String>
  ) async throws -> Outcome {
    let adapter = provider.adapter
    var grant = try await token()
    let request = adapter.request(for: stream, window, at: cursor)
    let answer = try await send(request, renewing: &grant)
    try check(answer)
    var outcome = try await read(answer) { (answer, thread) throws(PageFault) in
      try adapter.page(of: stream, window, at: cursor, answer, on: thread)
    }
    try await addDetails(to: &outcome, &grant, without: done)
    if !done.isEmpty { outcome.page.records.activities.removeAll { done.contains($0.externalID) } }
    return outcome
  }

  /// One activity by the provider's id of it, as a page; one without records if it is not there, or not any more.
  package func activity(_ id: String) async throws -> Outcome {
    let adapter = provider.adapter
    guard let request = adapter.request(forActivity: id) else { return Outcome(page: DataPage()) }
    var grant = try await token()
    let answer = try await send(request, renewing: &grant)
    guard ![404, 410].contains(answer.data.status) else {
      return Outcome(
        page: DataPage(), allowance: adapter.allowance(in: answer.data.headers, at: environment.clock.now))
    }
    try check(answer)
    var outcome = try await read(answer) { (answer, thread) throws(PageFault) in
      try adapter.page(ofActivity: answer, on: thread)
    }
    try await addDetails(to: &outcome, &grant, without: [])
    return outcome
  }

  private func token(refusing refused: RefusedTokens? = nil) async throws -> AccessGrant {
    do { return try await tokens.token(of: connection, refusing: refused) } catch let failure as TokenFailure {
      metrics.failed(provider.id, "token")
      throw FetchFailure.token(failure)
    }
  }

  /// Sends a request, again with new tokens if those of `grant` are not accepted; these are its tokens from then on.
  private func send(
    _ request: DataRequest, renewing grant: inout AccessGrant
  ) async throws -> Answer {
    let answer = try await send(request, grant)
    guard [.tokenRefused, .unauthorized].contains(answer.verdict) else { return answer }
    // Revoked, or ended early: with new tokens it is known which.
    let renewed = try await token(
      refusing: RefusedTokens(version: grant.version, byName: answer.verdict == .tokenRefused))
    // There are no others.
    guard renewed.version != grant.version else { return answer }
    grant = renewed
    let again = try await send(request, grant)
    guard again.verdict == .tokenRefused else { return again }
    try await tokens.requireConsent(connection, version: grant.version)
    throw FetchFailure.token(.consent)
  }

  private func send(_ request: DataRequest, _ grant: AccessGrant) async throws -> Answer {
    metrics.requested(provider.id)
    let answer: ProviderClient.Answer
    do { answer = try await client.send(request, to: provider, token: grant.token) } catch {
      metrics.failed(provider.id, "unreachable")
      throw error == .tooLong ? FetchFailure.tooLong : FetchFailure.failing(wait: nil)
    }
    let (adapter, data) = (provider.adapter, answer.data)
    let stated = adapter.verdict(of: data)
    let verdict =
      if let stated { stated } else { try await work.run(for: user) { adapter.verdict(ofBody: data, on: $0) } }
    return Answer(data: data, retryAfter: answer.retryAfter, verdict: verdict)
  }

  /// Throws what the status means, if it is not that of a page.
  private func check(_ answer: Answer) throws(FetchFailure) {
    if answer.verdict != .page { metrics.failed(provider.id, "\(answer.data.status)") }
    switch answer.verdict {
    case .page: break
    case .tokenRefused: throw .token(.consent)
    case .notGranted: throw .notGranted
    case .tooMany:
      let stated = provider.adapter.allowance(in: answer.data.headers, at: environment.clock.now).wait
      throw .tooMany(max(answer.retryAfter ?? stated ?? Self.usualWait, .seconds(1)))
    case .gone: throw .gone
    case .failing, .unauthorized: throw .failing(wait: answer.retryAfter)
    case .unexpected: throw .answer("status \(answer.data.status)")
    }
  }

  private func read(
    _ answer: Answer,
    _ page: @escaping @Sendable (DataAnswer, borrowing PoolThread) throws(PageFault) -> DataPage
  ) async throws -> Outcome {
    guard answer.data.isPlainJSON else {
      metrics.failed(provider.id, "answer")
      throw FetchFailure.answer("no plain JSON")
    }
    let allowance = provider.adapter.allowance(in: answer.data.headers, at: environment.clock.now)
    do {
      return try await work.run(for: user) { thread in
        let page = try page(answer.data, thread)
        return Outcome(page: page, allowance: allowance, digest: page.digest)
      }
    } catch let fault as PageFault {
      metrics.failed(provider.id, "answer")
      throw FetchFailure.answer("\(fault)")
    }
  }

  private func addDetails(
    to outcome: inout Outcome, _ grant: inout AccessGrant, without done: Set<String>
  ) async throws {
    let (activities, end) = (outcome.page.records.activities, ContinuousClock.now + Self.share)
    let details = outcome.page.details.filter {
      activities.indices.contains($0.activity) && !done.contains(activities[$0.activity].externalID)
    }
    for (place, detail) in details.prefix(Self.maxDetails).enumerated() {
      do {
        // What the limit still allows is used up: the rest of the page comes later.
        if let wait = outcome.allowance.wait { throw FetchFailure.tooMany(wait) }
        if place > 0, ContinuousClock.now >= end { return outcome.interrupt(at: detail.activity, .time) }
        try await add(detail, to: &outcome, &grant)
      } catch let failure as FetchFailure {
        return outcome.interrupt(at: detail.activity, .failure(failure))
      }
    }
  }

  private func add(
    _ detail: (activity: Int, request: DataRequest), to outcome: inout Outcome, _ grant: inout AccessGrant
  ) async throws {
    // An activity without a track is imported without one; so is one whose track is too much or cannot be read.
    let answer: Answer
    do { answer = try await send(detail.request, renewing: &grant) } catch FetchFailure.tooLong {
      return
    }
    if [.tooMany, .failing, .unauthorized].contains(answer.verdict) { try check(answer) }
    if answer.data.isPlainJSON {
      let (adapter, activity) = (provider.adapter, outcome.page.records.activities[detail.activity])
      outcome.page.records.activities[detail.activity] = try await work.run(for: user) { thread in
        var activity = activity
        adapter.add(answer.data, to: &activity, on: thread)
        return activity
      }
    }
    outcome.allowance = provider.adapter.allowance(in: answer.data.headers, at: environment.clock.now)
  }
}

extension TrackerOperations {
  /// What fetches the pages of an import.
  package func fetch(for work: ImportWork.Row, at provider: ConfiguredProvider) -> PageFetch {
    PageFetch(
      provider: provider, connection: work.connectionID, client: client, tokens: tokens, environment: environment,
      metrics: metrics, work: activities.work, user: work.userID)
  }
}

extension PageFetch.Outcome {
  /// Keeps the activities before one, which are whole.
  fileprivate mutating func interrupt(at activity: Int, _ reason: PageFetch.Interruption) {
    page.records.activities.removeSubrange(activity...)
    interruption = reason
  }
}
