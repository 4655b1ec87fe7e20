import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import TTRPC

/// The migration of the service's schema to the version of the program.
final class Schema: Sendable {
  private let service: ServiceDescription
  private let url: String
  private let logger: Logger
  private let prepare: @Sendable () async throws -> Void
  private let state = Mutex(State.unknown)
  private let isUsable = Atomic<Bool>(false)
  private let usability = ReadinessPromise()

  /// `unknown` and `behind` become any other; `current` is final.
  enum State: Sendable, Equatable {
    /// The database has not answered yet.
    case unknown
    /// The database could not be reached; the reason is for operators.
    case unreachable(String)
    /// Migrations are missing.
    case behind(version: Int)
    /// The version that the program needs, or a newer one.
    case current(version: Int)
  }

  /// - Parameter prepare: runs each time that the schema is found to be current, before handlers may use it.
  init(
    _ service: ServiceDescription, url: String, logger: Logger,
    prepare: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.service = service
    self.url = url
    self.logger = logger
    self.prepare = prepare
  }

  /// Whether handlers may use it.
  var isCurrent: Bool { isUsable.load(ordering: .acquiring) }

  /// The last known version; nil while the database has not answered.
  var version: Int? {
    switch state.withLock({ $0 }) {
    case .current(let version), .behind(let version): version
    case .unknown, .unreachable: nil
    }
  }

  /// Nil when the schema is current, else the reason; a readiness check.
  var unhealthyReason: String? {
    switch state.withLock({ $0 }) {
    case .current: nil
    case .unknown: "not looked at yet"
    case .unreachable(let reason): reason
    case .behind(let version):
      "schema \(service.schema) is at version \(version) and needs \(service.migrations.count): run `\(service.name) migrate`"
    }
  }

  /// Migrates the schema, and waits with growing pauses for as long as the database is unavailable.
  ///
  /// - Throws: an error when waiting cannot help: a migration was edited or fails.
  func bringUpToDate() async throws {
    try await untilReachable {
      let outcome = try await self.migrate()
      try await self.prepare()
      self.become(.current(version: outcome.version))
      return true
    }
  }

  /// Waits until another process has migrated the schema.
  func waitUntilCurrent() async throws {
    try await untilReachable {
      let version = try await Migrator.version(url: self.url, schema: self.service.schema)
      let isCurrent = version >= self.service.migrations.count
      if isCurrent { try await self.prepare() }
      self.become(isCurrent ? .current(version: version) : .behind(version: version))
      return self.isCurrent
    }
  }

  /// Runs the missing migrations, once.
  @discardableResult
  func migrate() async throws -> Migrator.Outcome {
    let outcome: Migrator.Outcome
    do {
      outcome = try await Migrator.migrate(url: url, schema: service.schema, migrations: service.migrations)
    } catch let error as MigrationError {
      throw StartupError(failure: "\(error)")
    }
    if outcome.isNewerThanProgram {
      logger.warning(
        "the schema is newer than this program",
        metadata: ["version": "\(outcome.version)", "known": "\(service.migrations.count)"])
    }
    if !outcome.applied.isEmpty {
      logger.info("schema migrated", metadata: ["version": "\(outcome.version)", "applied": "\(outcome.applied)"])
    }
    return outcome
  }

  /// Repeats `attempt` until it returns true; logs each reason why it does not once.
  private func untilReachable(_ attempt: () async throws -> Bool) async throws {
    var pause = Duration.milliseconds(50)
    var said: String?
    while true {
      do {
        if try await attempt() { return }
      } catch let error as PostgresError {
        become(.unreachable(error.reachability))
      }
      if let unhealthyReason, unhealthyReason != said {
        logger.warning("waiting for the database", metadata: ["reason": "\(unhealthyReason)"])
        said = unhealthyReason
      }
      // A database does not signal when it is available again: it is polled, soon at first, then less often.
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .seconds(2))
    }
  }

  private func become(_ new: State) {
    state.withLock { $0 = new }
    guard case .current = new else { return }
    isUsable.store(true, ordering: .releasing)
    usability.make(true)
  }

  /// Suspends until handlers may use the schema, or ``stopWaiting()`` is called.
  func usable() async { _ = await usability.outcome }

  /// Resumes those who wait for the schema: the service stops.
  func stopWaiting() { usability.make(false) }
}

/// A part of a service that uses tables: it begins when they exist, and not in a database that is still migrated. A service
/// that stops before that runs its part too, which ends at once.
struct StartedAfterMigration: Service {
  let part: any Service
  let schema: Schema

  func run() async throws {
    await schema.usable()
    try await part.run()
  }
}

/// Answers UNAVAILABLE instead of calling a handler whose tables do not exist yet; health and reflection go on.
struct SchemaGate: ServerInterceptor {
  let schema: Schema
  /// The services that need no tables.
  let exempt: Set<String>

  func callBegins(_ call: inout CallContext) throws(Status) {
    if schema.isCurrent || exempt.contains(call.method.service) { return }
    throw .unavailable("The service is starting: its database is not ready yet")
  }
}
