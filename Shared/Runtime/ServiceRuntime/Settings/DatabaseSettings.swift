import Postgres

/// A replica's connections to the database, where an operator may have reason to change them.
public enum DatabaseSettings {
  /// Connections in all.
  public static let connections = Setting<Int?>.optional(
    "database-connections", .number(1...10_000),
    meaning: "connections to the database at most; without it a share of what the database allows")
  /// Processes that share what the database allows.
  public static let processes = Setting<Int>(
    "database-processes", .number(1...1_000), default: "12",
    meaning:
      "processes that share the database's max_connections: each takes that part; the default is six services, each twice"
  )
  /// Connections for transactions.
  public static let transactionsPerLoop = Setting<Int>(
    "database-transactions-per-loop", .number(1...100), default: "\(defaults.transactionsPerLoop)",
    meaning: "connections for transactions that each event loop would like to have, where the database allows as many")
  /// Connections for slow statements.
  public static let slowPerLoop = Setting<Int>(
    "database-slow-per-loop", .number(1...100), default: "\(defaults.slowPerLoop)",
    meaning: "the same for searches and whatever else may take long")
  /// Calls that wait for one of the connections for slow statements.
  public static let slowQueue = Setting<Int>(
    "database-slow-queue", .number(1...100_000), default: "\(defaults.slowQueueLimit)",
    meaning: "searches and the like that may wait for a connection, for each event loop; one more is refused")
  /// The time limit of a slow statement.
  public static let slowTime = Setting<Duration>(
    "database-slow-time", .positiveDuration, default: defaults.slowStatementTimeout,
    meaning: "how long the database works on one of these before it gives up")

  private static let defaults = DatabaseConfiguration(url: "", applicationName: "")

  /// All of them, in the order of listings.
  static let all: [SettingDescription] = [
    connections.description, processes.description, transactionsPerLoop.description, slowPerLoop.description,
    slowQueue.description, slowTime.description,
  ]
}

extension DatabaseConfiguration {
  /// The configured database, and the limits of its connections.
  ///
  /// Where tests move the clock they move the database's too: by a `clock_timestamp` of ``DevelopmentClock/schema``, found before
  /// PostgreSQL's own.
  init(_ settings: Settings, applicationName: String, schema: String? = nil) {
    let isMoved = settings[RuntimeSettings.developmentClock] != nil
    let path = isMoved ? schema.map { "\($0), \(DevelopmentClock.schema), pg_catalog" } : schema
    self.init(url: settings[RuntimeSettings.databaseURL], applicationName: applicationName, schema: path)
    urlFile = settings.file(of: RuntimeSettings.databaseURL)
    transactionsPerLoop = settings[DatabaseSettings.transactionsPerLoop]
    slowPerLoop = settings[DatabaseSettings.slowPerLoop]
    slowQueueLimit = settings[DatabaseSettings.slowQueue]
    slowStatementTimeout = settings[DatabaseSettings.slowTime]
  }
}

extension ConnectionLimit {
  /// The configured limit.
  init(_ settings: Settings) {
    self.init(max: settings[DatabaseSettings.connections], processes: settings[DatabaseSettings.processes])
  }
}
