import Environment
import Identifiers
import ImporterDomain
import OutboundHTTP
import ProviderAdapters

/// Why there is no page.
enum FetchFailure: Error, Sendable, Equatable {
  case token(TokenFailure)
  case notGranted
  /// The provider lets nothing through for this long.
  case tooMany(Duration)
  case gone
  /// Another attempt may succeed, not before the time that the provider names.
  case failing(wait: Duration?)
  /// The answer is none that the adapter can read, for this reason.
  case answer(String)
}

/// Fetches one page with its further requests.
struct PageFetch: Sendable {
  let provider: ConfiguredProvider
  let connection: ConnectionID
  let client: ProviderClient
  let tokens: TokenKeeper
  let environment: Environment
  let metrics: TrackerMetrics

  /// Further requests of one page; adapters ask for fewer records than that.
  private static let mostDetails = 100
  /// If the provider does not say how long to wait.
  private static let usualWait: Duration = .seconds(60)

  /// A page, and what the provider said about further requests.
  struct Outcome: Sendable {
    var page: DataPage
    var allowance = RequestAllowance()
  }

  func page(of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?) async throws -> Outcome {
    let adapter = provider.adapter
    var grant = try await token()
    let request = adapter.request(for: stream, window, at: cursor)
    let answer = try await send(request, renewing: &grant)
    try check(answer)
    var outcome = Outcome(page: try read(answer, of: stream, window, at: cursor))
    outcome.allowance = adapter.allowance(in: answer.data.headers, at: environment.clock.now)
    try await addDetails(to: &outcome, &grant)
    return outcome
  }

  private func token(refusing version: Int64? = nil) async throws -> AccessGrant {
    do { return try await tokens.token(of: connection, refusing: version) } catch let failure as TokenFailure {
      metrics.failed(provider.id, "token")
      throw FetchFailure.token(failure)
    }
  }

  /// Sends a request, again with new tokens if those of `grant` are not accepted; these are its tokens from then on.
  private func send(
    _ request: DataRequest, renewing grant: inout AccessGrant
  ) async throws -> ProviderClient.Answer {
    let answer = try await send(request, grant)
    guard provider.adapter.verdict(on: answer.data) == .tokenRefused else { return answer }
    // Revoked, or ended early: with new tokens it is known which.
    grant = try await token(refusing: grant.version)
    let again = try await send(request, grant)
    guard provider.adapter.verdict(on: again.data) == .tokenRefused else { return again }
    try await tokens.requireConsent(connection, version: grant.version)
    throw FetchFailure.token(.consent)
  }

  private func send(_ request: DataRequest, _ grant: AccessGrant) async throws -> ProviderClient.Answer {
    metrics.requested(provider.id)
    do { return try await client.send(request, to: provider, token: grant.token) } catch {
      metrics.failed(provider.id, "unreachable")
      throw error == .tooLong ? FetchFailure.answer("\(error)") : FetchFailure.failing(wait: nil)
    }
  }

  /// Throws what the status means, if it is not that of a page.
  private func check(_ answer: ProviderClient.Answer) throws(FetchFailure) {
    let verdict = provider.adapter.verdict(on: answer.data)
    if verdict != .page { metrics.failed(provider.id, "\(answer.data.status)") }
    switch verdict {
    case .page: break
    case .tokenRefused: throw .token(.consent)
    case .notGranted: throw .notGranted
    case .tooMany:
      let stated = provider.adapter.allowance(in: answer.data.headers, at: environment.clock.now).wait
      throw .tooMany(max(answer.retryAfter ?? stated ?? Self.usualWait, .seconds(1)))
    case .gone: throw .gone
    case .failing: throw .failing(wait: answer.retryAfter)
    case .unexpected: throw .answer("status \(answer.data.status)")
    }
  }

  private func read(
    _ answer: ProviderClient.Answer, of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?
  ) throws(FetchFailure) -> DataPage {
    guard answer.data.isPlainJSON else {
      metrics.failed(provider.id, "answer")
      throw .answer("no plain JSON")
    }
    do { return try provider.adapter.page(of: stream, window, at: cursor, answer.data) } catch {
      metrics.failed(provider.id, "answer")
      throw .answer("\(error)")
    }
  }

  private func addDetails(to outcome: inout Outcome, _ grant: inout AccessGrant) async throws {
    for detail in outcome.page.details.prefix(Self.mostDetails) {
      guard outcome.page.records.activities.indices.contains(detail.activity) else { continue }
      // What the limit still allows is used up: the rest of the page is fetched with the page, later.
      if let wait = outcome.allowance.wait { throw FetchFailure.tooMany(wait) }
      let answer = try await send(detail.request, renewing: &grant)
      let verdict = provider.adapter.verdict(on: answer.data)
      // An activity without a track is imported without one; so is one whose track is too much or cannot be read.
      if [.tooMany, .failing].contains(verdict) { try check(answer) }
      if answer.data.isPlainJSON {
        provider.adapter.add(answer.data, to: &outcome.page.records.activities[detail.activity])
      }
      outcome.allowance = provider.adapter.allowance(in: answer.data.headers, at: environment.clock.now)
    }
  }
}
