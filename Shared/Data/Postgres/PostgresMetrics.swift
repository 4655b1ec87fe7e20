import Metrics
import NIOCore
import Synchronization

/// The handles of the module's metrics, made once, so that counting allocates nothing.
public struct PostgresMetrics: Sendable {
  /// The description of each metric, by its label.
  public static let descriptions: [String: String] = [
    "postgres_statements": "Statements sent.",
    "postgres_errors": "Statements that the server refused.",
    "postgres_overloads": "Statements and transactions turned away because too many waited.",
    "postgres_pool_waits": "Transactions and slow statements that had to wait for a connection.",
    "postgres_transaction_repeats": "Transactions that were run again, because another one was in their way.",
    "postgres_statements_in_flight": "Statements that were sent and not answered.",
    "postgres_connections": "Connections to the database that are up.",
  ]

  /// Statements sent.
  let statements: Counter
  /// Statements that the server refused.
  let errors: Counter
  /// Statements and transactions refused because too many waited.
  let overloads: Counter
  /// Transactions and slow statements that had to wait for a connection.
  let poolWaits: Counter
  /// Transactions that were run again.
  let repeats: Counter
  /// Statements sent and not answered.
  let inFlight: Meter
  /// Open connections.
  let connections: Meter
  let fullDisk = FullDisk()

  /// When the server's disk was last found full. From any thread.
  final class FullDisk: Sendable {
    /// Services write every few seconds, so that a disk which stays full is found so again.
    private static let memory = TimeAmount.seconds(15)
    private let foundAt = Atomic<UInt64>(0)

    func note() { foundAt.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    var isRecent: Bool {
      let found = foundAt.load(ordering: .relaxed)
      return found != 0 && NIODeadline.now() - NIODeadline.uptimeNanoseconds(found) < Self.memory
    }
  }

  init(database: String) {
    let dimensions = [("database", database)]
    statements = Counter(label: "postgres_statements", dimensions: dimensions)
    errors = Counter(label: "postgres_errors", dimensions: dimensions)
    overloads = Counter(label: "postgres_overloads", dimensions: dimensions)
    poolWaits = Counter(label: "postgres_pool_waits", dimensions: dimensions)
    repeats = Counter(label: "postgres_transaction_repeats", dimensions: dimensions)
    inFlight = Meter(label: "postgres_statements_in_flight", dimensions: dimensions)
    connections = Meter(label: "postgres_connections", dimensions: dimensions)
  }
}
