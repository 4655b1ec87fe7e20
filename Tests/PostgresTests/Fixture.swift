import Logging
import LoopExecutor
import Postgres
import TestSupport

/// Event loops that all tests share.
let loops = LoopGroup(threads: 2)

let notes = TestSchema(
  "notes",
  [
    Migration(
      version: 1, name: "notes",
      sql: """
        create table notes (
          id bigint constraint notes_pkey primary key,
          text text not null constraint notes_text_length check (length(text) between 1 and 20),
          parent bigint constraint notes_parent_fkey references notes deferrable initially deferred
        );
        """)
  ])

extension Database {
  /// Runs `body` on an event loop with a database at `url`, and closes it afterwards.
  @discardableResult static func with<R: Sendable>(
    _ url: String, _ change: (inout DatabaseConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (Database) async throws -> R
  ) async throws -> R {
    var configuration = DatabaseConfiguration(url: url, applicationName: "tests")
    // A machine that runs many tests at once may take its time; what is about timeout sets its own.
    configuration.timeout = .seconds(30)
    configuration.leaseTimeout = .seconds(30)
    configuration.statementTimeout = .seconds(60)
    configuration.slowStatementTimeout = .seconds(60)
    change(&configuration)
    var logger = Logger(label: "postgres")
    logger.logLevel = .critical
    let database = try Database(configuration, loops: loops.executors, logger: logger)
    let outcome: Result<R, any Error>
    do {
      outcome = .success(
        try await withTaskExecutorPreference(loops.executors[0]) { try await body(database) })
    } catch {
      outcome = .failure(error)
    }
    await database.close()
    return try outcome.get()
  }

  /// Runs `body` with a migrated database of its own, as the role of the schema `notes`.
  @discardableResult static func withNotes<R: Sendable>(
    _ change: @escaping @Sendable (inout DatabaseConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (Database) async throws -> R
  ) async throws -> R {
    try await TestDatabase.with([notes]) { try await with($0.url(of: "notes"), change, body) }
  }
}

struct Square: SingleRowStatement {
  typealias Row = Int64
  static let sql = "select $1::int8 * $1"
  let number: Int64
  func bind(_ p: inout Parameters) { p.append(number) }
}

/// Fails with `22012` when given 0.
struct Inverse: SingleRowStatement {
  typealias Row = Int64
  static let sql = "select 1 / $1::int8"
  let number: Int64
  func bind(_ p: inout Parameters) { p.append(number) }
}

/// Cannot even be prepared.
struct Nonsense: Statement {
  typealias Row = Void
  static let sql = "select from where"
}

struct AddNote: Statement {
  typealias Row = Void
  static let sql = "insert into notes (id, text, parent) values ($1, $2, $3)"
  let id: Int64
  var text = "text"
  var parent: Int64?
  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(text)
    p.append(parent)
  }
}

struct PutNote: Statement {
  typealias Row = Void
  static let sql = "insert into notes (id, text) values ($1, $2) on conflict (id) do update set text = excluded.text"
  let id: Int64
  var text = "text"
  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(text)
  }
}

struct NoteIDs: Statement {
  typealias Row = Int64
  static let sql = "select id from notes order by id"
}

struct BackendID: SingleRowStatement {
  typealias Row = Int32
  static let sql = "select pg_backend_pid()"
}

/// Waits for an advisory lock, so that a test decides how long a statement runs.
struct WaitForLock: Statement {
  typealias Row = String
  static let sql = "select pg_advisory_lock_shared($1)::text"
  let lock: Int64
  func bind(_ p: inout Parameters) { p.append(lock) }
}

struct TakeLock: Statement {
  typealias Row = String
  static let sql = "select pg_advisory_xact_lock($1)::text"
  let lock: Int64
  func bind(_ p: inout Parameters) { p.append(lock) }
}

/// How many statements wait for the advisory lock `lock` in this database.
struct LockWaiters: SingleRowStatement {
  typealias Row = Int64
  static let sql = """
    select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where locktype = 'advisory' and not granted and objid = $1::int8::oid and datname = current_database()
    """
  let lock: Int64
  func bind(_ p: inout Parameters) { p.append(lock) }
}

struct Terminate: Statement {
  typealias Row = Bool
  static let sql = "select pg_terminate_backend($1, 5000)"
  let backend: Int32
  func bind(_ p: inout Parameters) { p.append(backend) }
}

/// Polls until `condition` holds; the test's own time limit ends it.
func until(_ condition: () async throws -> Bool) async rethrows {
  // Off the loop between two questions, so that the loop can get on with its input.
  while !(try await condition()) { await withTaskExecutorPreference(globalConcurrentExecutor) { await Task.yield() } }
}
