import CatalogOperations
import Environment
import Events
import Jobs
import Live
import Postgres

extension RunningCatalog {
  /// The operations of the test, like those of the consumer of lending's events.
  var operations: BookOperations {
    let environment = Environment(clock: clock, randomness: SystemRandomness())
    return BookOperations(
      database: own, environment: environment, events: Outbox(of: "catalog", live: SilentBus(), clock: clock),
      jobs: Jobs(environment: environment, service: "catalog"), lending: nil,
      termStatistics: TermStatistics(database: own))
  }
}

extension BookOperations {
  /// Stores what lending reports of books, as its consumer does: with the users held.
  func tell(_ reported: [BookAvailability], _ tx: Transaction) async throws {
    try await tx.holdUsers(ofBooks: reported.map(\.book), and: reported.compactMap(\.borrower))
    try await storeAvailability(reported, tx)
  }
}

/// Wakes no follower: the test's events have none.
private struct SilentBus: LiveBus {
  func publish(_ payload: [UInt8], to channel: LiveChannel) {}
  func subscribe(to channel: LiveChannel) -> LiveSubscription { preconditionFailure("no test listens to its events") }
}
