import Backoff
import Logging
import NIOCore

/// Where the database is, and the limits of its use.
public struct DatabaseConfiguration: Sendable {
  /// `postgresql://user:password@host:port/database`, with several hosts and libpq's `sslmode` and the like as parameters. Never logged.
  public var url: String
  /// The name of the connections in `pg_stat_activity`.
  public var applicationName: String
  /// The schema for unqualified names; `nil` leaves it to the role's own setting.
  public var schema: String?
  /// A file that contains the URL and is read again for every connection, so that a new password needs no restart;
  /// `nil` for none.
  ///
  /// While it cannot be read, or contains no URL, the last valid one is used.
  public var urlFile: String?
  /// Whether a commit is answered only once it survives a crash of the server; without it the last ones before a crash
  /// are lost.
  public var isDurable = true
  /// How long the server works on one quick statement before it cancels it.
  public var statementTimeout: Duration = .seconds(10)
  /// How long the server works on one statement that is ``Pace/slow`` before it cancels it.
  public var slowStatementTimeout: Duration = .seconds(10)
  /// How much longer than its own time limit a statement may have no answer: the server cancels it then and says so,
  /// unless it hangs. The connection is given up after that.
  public var answerTime: Duration = .seconds(5)
  /// How long a transaction may idle between its statements before the server ends it.
  public var idleInTransactionTimeout: Duration = .seconds(30)
  /// How long one attempt to connect to one host may take; whole seconds, at least 2.
  public var connectTimeout: Duration = .seconds(3)
  /// How long a call waits for a lost connection before it fails as unavailable.
  public var timeout: Duration = .seconds(2)
  /// Statements that may wait or run per pipeline; more are refused as overload.
  public var queueLimit = 4096
  /// Connections for transactions, per event loop.
  public var transactionsPerLoop = 4
  /// Transactions that may wait for a connection, per event loop; more are refused as overload.
  public var transactionQueueLimit = 1024
  /// Connections for slow statements and slow transactions, per event loop.
  public var slowPerLoop = 2
  /// Slow statements and transactions that may wait for a connection, per event loop; more are refused as overload.
  public var slowQueueLimit = 256
  /// How long a transaction or a slow statement waits for a connection before it is refused as overload.
  public var leaseTimeout: Duration = .seconds(5)
  /// The limit of all connections together; `nil` for the sum of the pools above.
  ///
  /// With a limit the pools have the minimum until ``Database/takeShare(beside:)`` has asked the server.
  public var connectionLimit: ConnectionLimit?

  public init(url: String, applicationName: String, schema: String? = nil) {
    self.url = url
    self.applicationName = applicationName
    self.schema = schema
  }

  /// Makes the connections of one kind of pipeline.
  ///
  /// - Parameter waitsForLocks: false for a pipeline on which others' statements wait behind one that does.
  func connector(
    readOnly: Bool, pace: Pace = .quick, waitsForLocks: Bool = true
  ) throws(PostgresError) -> Connector {
    let timeout = pace == .slow ? slowStatementTimeout : statementTimeout
    var settings = [
      (name: "statement_timeout", value: Self.milliseconds(timeout)),
      (name: "idle_in_transaction_session_timeout", value: Self.milliseconds(idleInTransactionTimeout)),
      // Statements are short and many, and for a new table the planner overestimates their cost: it would compile for
      // seconds.
      (name: "jit", value: "off"),
    ]
    // An index finds the rows of a quick statement. One that was prepared while a table was empty would read the whole table from then
    // on, however fast it grows: the plan is kept until the table is analyzed.
    if pace == .quick { settings.append((name: "enable_seqscan", value: "off")) }
    if !waitsForLocks { settings.append((name: "lock_timeout", value: Self.milliseconds(Self.lockPatience))) }
    if !isDurable { settings.append((name: "synchronous_commit", value: "off")) }
    if let schema { settings.append((name: "search_path", value: schema)) }
    // A read is answered before its burst commits, so a write among reads would be acknowledged too early.
    if readOnly { settings.append((name: Connector.readOnlySetting, value: "on")) }
    return try Connector(
      url: url, file: urlFile,
      defaults: [
        ("application_name", applicationName), ("connect_timeout", "\(max(2, connectTimeout.components.seconds))"),
        // A server that vanished without closing the connection is detected within these seconds and milliseconds.
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
        ("tcp_user_timeout", "20000"),
      ], settings: settings)
  }

  /// How long a write waits for a lock before it takes a connection of its own to wait on.
  private static let lockPatience = Duration.milliseconds(100)
  /// How long a connection may leave statements of a pace without an answer; `nil` where these have no time limit.
  func silenceLimit(_ pace: Pace) -> Duration? {
    let limit = pace == .slow ? slowStatementTimeout : statementTimeout
    return limit > .zero ? limit + answerTime : nil
  }

  private static func milliseconds(_ duration: Duration) -> String {
    "\(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)"
  }
}

/// The limit of a process's connections where several share a server.
public struct ConnectionLimit: Sendable {
  /// The most connections, whatever the server allows; `nil` for a share of what it allows.
  public var max: Int?
  /// How many processes share the server: each gets an equal share.
  public var processes: Int

  public init(max: Int? = nil, processes: Int) {
    self.max = max
    self.processes = processes
  }
}

/// The settings that a database's pipelines share.
struct PipelineSettings: Sendable {
  let connector: Connector
  /// How long the server may answer nothing while statements wait for it, before the connection is given up; `nil` for
  /// ever.
  let silenceLimit: Duration?
  let timeout: TimeAmount
  let queueLimit: Int
  let logger: Logger
}

extension Backoff {
  /// Between attempts to connect to a database: 12.5 to 25 ms at first, 1 to 2 s in the end. Spread widely, because many processes lose the
  /// database at once.
  static let reconnecting = Backoff(first: .microseconds(18_750), max: .milliseconds(1_500), jitter: 1.0 / 3)
}
