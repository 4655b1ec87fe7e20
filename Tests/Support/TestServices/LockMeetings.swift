public import Postgres
import TTRPC
public import TestSupport
import Testing

extension TestDatabase {
  /// Begins acts, one after the other, while a transaction holds a row; lets go once each of them waits for a lock or has ended.
  ///
  /// A refusal ends an act as well as an answer does, and so does a transaction of the test's own that had to wait for too long.
  ///
  /// - Parameters:
  ///   - place: names the row in a failure.
  ///   - own: runs the transaction that holds the row.
  ///   - hold: locks the row.
  ///   - perform: performs an act.
  /// - Throws: errors of `hold`; of `perform`, but those that end an act.
  public func meet<Act: Sendable>(
    _ acts: [Act], at place: String, through own: Database,
    hold: @escaping @Sendable (Transaction) async throws -> Void,
    perform: @escaping @Sendable (Act) async throws -> Void
  ) async throws {
    let gates = acts.map { _ in Gate() }
    let ended = Gathered<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await own.transaction { tx in
          try await hold(tx)
          for (number, gate) in gates.enumerated() {
            gate.open()
            try await until("\(acts[number]) waits at \(place), or has ended") {
              try await countWaiting() + ended.all.count > number
            }
          }
        }
      }
      for (act, gate) in zip(acts, gates) {
        group.addTask {
          await gate.pass()
          defer { ended.add(1) }
          do { try await perform(act) } catch is Status {} catch let error as PostgresError where error.isTimeout {}
        }
      }
      while try await group.next() != nil {}
    }
  }

  /// How many of the database's transactions wait for a lock.
  private func countWaiting() async throws -> Int {
    let count = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return Int(try await value(count) ?? "") ?? 0
  }
}

extension PostgresError {
  /// Whether a statement took too long, or waited too long for a lock.
  fileprivate var isTimeout: Bool { sqlState == .queryCanceled || sqlState == .lockNotAvailable }
}
