import Environment
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Jobs
import Logging
import Postgres
import ProviderAdapters

/// The jobs that continue imports, page by page ([IM-4], [IM-5]).
package struct ImportRunner: Sendable {
  private let database: Database
  private let environment: Environment
  private let operations: TrackerOperations
  private let logger: Logger

  private var activities: ActivityOperations { operations.activities }
  private var breakers: ProviderBreakers { operations.breakers }

  /// How long one run goes on before it leaves the place to others' imports.
  private static let share: Duration = .seconds(10)
  /// Pages of one stream of one import: an answer whose pages do not end is cut off.
  private static let maxPages: Int32 = 1_000
  /// The longest time from an import's beginning to its end.
  private static let maxImportTime: Duration = .seconds(2 * 86_400)
  /// How long a page waits for other changes of the user's records; less than a run may take.
  private static let storePatience: Duration = .seconds(30)
  /// Between two looks at whether a pause of operators has ended.
  private static let pauseLook: Duration = .seconds(60)

  package init(_ operations: TrackerOperations, database: Database, environment: Environment, logger: Logger) {
    (self.operations, self.database, self.environment, self.logger) = (operations, database, environment, logger)
  }

  /// Of the imports from each provider, and of those from providers that are no more.
  package var handlers: [JobHandler] {
    (Providers.all.map { .importPages(from: $0.id) } + [.importPages]).map { handler($0) }
  }

  private func handler(_ kind: JobKind<String>) -> JobHandler {
    .outside(kind) { text, _ in
      guard let id = ImportID(text) else { throw JobRefusal("\(text) is no id of an import") }
      try await run(id)
    }
  }

  /// Goes on with an import until it ends, has to wait, or has had its share.
  private func run(_ id: ImportID) async throws {
    let end = ContinuousClock.now + Self.share
    while let work = try await database.first(ImportWork(importID: id)) {
      if ContinuousClock.now >= end {
        return try await database.transaction { tx in
          try await operations.imports.goOn(id, from: work.provider, step: work.step, at: environment.clock.now, tx)
        }
      }
      guard try await step(id, work) else { return }
    }
  }

  /// One page, or the end; false if the import has ended or waits.
  private func step(_ id: ImportID, _ work: ImportWork.Row) async throws -> Bool {
    let now = environment.clock.now
    guard let provider = operations.providers.first(where: { $0.id == work.provider }) else {
      return try await fail(id, work, .gone, at: nil)
    }
    guard now - work.createdAt < Self.maxImportTime else { return try await fail(id, work, .provider, at: provider) }
    if work.paused { return try await postpone(id, work, until: now + Self.pauseLook, retries: work.retries) }
    if let until = work.blockedUntil, until > now {
      return try await postpone(id, work, until: apart(until), retries: work.retries)
    }
    guard work.streams.indices.contains(Int(work.stream)) else { return try await succeed(id, work, at: provider) }
    let all = provider.adapter.streams + [ImportTransitions.namedActivities]
    guard let stream = all.first(where: { $0.name == work.streams[Int(work.stream)] }) else {
      return try await advance(id, work, ImportStep())
    }
    switch try await breakers.admission(of: work) {
    case .admitted: return try await step(id, work, stream, .usual, at: provider)
    case .probe: return try await step(id, work, stream, .probe, at: provider)
    case .refused(let until): return try await postpone(id, work, until: apart(until), retries: work.retries)
    }
  }

  /// Shortly after a moment that others may wait for, too: so they come back apart.
  private func apart(_ moment: Instant) -> Instant {
    moment + .milliseconds(Int64(environment.chance * 5_000))
  }

  /// One page; false if the import has ended or waits.
  private func step(
    _ id: ImportID, _ work: ImportWork.Row, _ stream: DataStream, _ request: ProviderBreaker.Request,
    at provider: ConfiguredProvider
  ) async throws -> Bool {
    let fetch = operations.fetch(for: work, at: provider)
    do {
      if stream == ImportTransitions.namedActivities {
        return try await named(id, work, request, fetch, at: provider)
      }
      let cursor = work.pageCursor.flatMap { PageCursor($0) }
      let outcome = try await fetch.page(
        of: stream, SyncWindow(since: work.since, until: work.until), at: cursor, without: Set(work.pageDone))
      try await note(outcome.allowance, of: provider)
      try await note(outcome.interruption, request, by: work)
      if let interruption = outcome.interruption {
        return try await interrupt(id, work, outcome.page.records.activities, interruption, stream, at: provider)
      }
      guard outcome.page.next == nil || (outcome.page.next != cursor && work.streamPages < Self.maxPages) else {
        throw FetchFailure.answer("pages without end")
      }
      if let digest = outcome.digest, work.pageDigests.contains(digest) {
        // Some providers answer a page behind the last one with one that they have sent already.
        logger.info(
          "a page came again, and ends its stream",
          metadata: ["provider": "\(provider.id)", "import": "\(id)", "stream": "\(stream.name)"])
        return try await advance(id, work, ImportStep())
      }
      return try await advance(id, work, ImportStep(page: outcome.page, digest: outcome.digest))
    } catch let failure as FetchFailure {
      try await breakers.note(failure, request, by: work)
      return try await handle(failure, id, work, stream, at: provider)
    } catch is StorageUse.Excess {
      return try await fail(id, work, .storage, at: provider)
    }
  }

  /// Notes whether the provider answered the requests of a page of which there is at least a part.
  private func note(
    _ interruption: PageFetch.Interruption?, _ request: ProviderBreaker.Request, by work: ImportWork.Row
  ) async throws {
    guard case .failure(let failure)? = interruption else { return try await breakers.noteAnswer(by: work) }
    try await breakers.note(failure, request, by: work)
  }

  /// One of the activities that the provider has named, as a page.
  private func named(
    _ id: ImportID, _ work: ImportWork.Row, _ request: ProviderBreaker.Request, _ fetch: PageFetch,
    at provider: ConfiguredProvider
  ) async throws -> Bool {
    guard let next = try await database.first(NextChangedActivity(connectionID: work.connectionID)) else {
      return try await advance(id, work, ImportStep())
    }
    var outcome = try await fetch.activity(next.externalID)
    try await note(outcome.allowance, of: provider)
    try await note(outcome.interruption, request, by: work)
    if let interruption = outcome.interruption {
      return try await interrupt(id, work, [], interruption, ImportTransitions.namedActivities, at: provider)
    }
    // There is always another look, for what was named meanwhile; further ones than that wait for the next import.
    outcome.page.next = work.streamPages < Self.maxPages ? PageCursor("\(work.streamPages + 1)") : nil
    let change = DropChangedActivity(
      connectionID: work.connectionID, externalID: next.externalID, moment: next.notedAt)
    return try await advance(id, work, ImportStep(page: outcome.page, done: change))
  }

  /// Stores a page, and the place of the next one.
  private func advance(_ id: ImportID, _ work: ImportWork.Row, _ step: ImportStep) async throws -> Bool {
    let records = try await activities.prepared(step.page.records, of: work.userID)
    return try await activities.inTurn(of: work.userID, patience: Self.storePatience) {
      try await database.repeatableTransaction { tx in
        try await operations.storePage(step, records, of: id, work, tx)
      }
    }
  }

  /// Stores the part of a page that is whole, so that it is not fetched again, and does what the interruption asks for.
  private func interrupt(
    _ id: ImportID, _ work: ImportWork.Row, _ whole: [ImportedActivity], _ interruption: PageFetch.Interruption,
    _ stream: DataStream, at provider: ConfiguredProvider
  ) async throws -> Bool {
    if !whole.isEmpty {
      let (ids, records) = (
        whole.map(\.externalID), try await activities.prepared(ImportedBatch(activities: whole), of: work.userID)
      )
      let isKept = try await activities.inTurn(of: work.userID, patience: Self.storePatience) {
        try await database.repeatableTransaction { tx in
          try await operations.storePart(ids, records, of: id, work, tx)
        }
      }
      guard isKept else { return false }
    }
    guard case .failure(let failure) = interruption else { return true }
    guard let work = whole.isEmpty ? work : try await database.first(ImportWork(importID: id)) else { return false }
    return try await handle(failure, id, work, stream, at: provider)
  }

  private func handle(
    _ failure: FetchFailure, _ id: ImportID, _ work: ImportWork.Row, _ stream: DataStream,
    at provider: ConfiguredProvider
  ) async throws -> Bool {
    switch failure {
    case .token(.consent): return try await fail(id, work, .consent, at: provider)
    case .token(.unavailable): return try await fail(id, work, .token, at: provider)
    case .gone: return try await fail(id, work, .gone, at: provider)
    case .notGranted: return try await advance(id, work, ImportStep(missing: stream.kind))
    case .tooMany(let wait):
      let until = environment.clock.now + min(wait, ImportRetry.maxWait)
      try await database.write(NoteAllowance(provider: provider.id, blockedUntil: until, requestsLeft: 0))
      return try await postpone(id, work, until: until, retries: work.retries)
    case .failing(let wait): return try await retry(id, work, failure, wait, .provider, at: provider)
    case .tooLong, .answer: return try await retry(id, work, failure, nil, .answer, at: provider)
    }
  }

  private func retry(
    _ id: ImportID, _ work: ImportWork.Row, _ failure: FetchFailure, _ wait: Duration?, _ end: ImportFailure,
    at provider: ConfiguredProvider
  ) async throws -> Bool {
    logger.info(
      "a page could not be imported",
      metadata: ["provider": "\(provider.id)", "import": "\(id)", "cause": "\(failure)", "retries": "\(work.retries)"])
    let pause = ImportRetry.pause(after: Int(work.retries), wait: wait, chance: environment.chance)
    guard let pause else { return try await fail(id, work, end, at: provider) }
    return try await postpone(id, work, until: environment.clock.now + pause, retries: work.retries + 1)
  }

  private func postpone(
    _ id: ImportID, _ work: ImportWork.Row, until moment: Instant, retries: Int32
  ) async throws -> Bool {
    try await database.transaction { tx in
      try await operations.postponeImport(id, work, until: moment, retries: retries, tx)
    }
    return false
  }

  private func succeed(_ id: ImportID, _ work: ImportWork.Row, at provider: ConfiguredProvider) async throws -> Bool {
    try await database.repeatableTransaction { tx in try await operations.endImport(id, work, at: provider, tx) }
    return false
  }

  private func fail(
    _ id: ImportID, _ work: ImportWork.Row, _ failure: ImportFailure, at provider: ConfiguredProvider?
  ) async throws -> Bool {
    try await database.repeatableTransaction { tx in
      try await operations.failImport(id, work, failure, at: provider, tx)
    }
    return false
  }

  /// Records what all replicas have to know before their next request; most answers say nothing of that kind.
  private func note(_ allowance: RequestAllowance, of provider: ConfiguredProvider) async throws {
    if let left = allowance.left { operations.metrics.left(provider.id, left) }
    guard allowance.wait != nil || allowance.left.map({ $0 % 10 == 0 }) ?? false else { return }
    let until = allowance.wait.map { environment.clock.now + $0 }
    try await database.write(NoteAllowance(provider: provider.id, blockedUntil: until, requestsLeft: allowance.left))
  }
}
