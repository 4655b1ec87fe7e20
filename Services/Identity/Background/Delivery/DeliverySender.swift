import IdentityStore
import Postgres

/// Sends the due deliveries of one channel.
protocol DeliverySender: Sendable {
  var channel: DeliveryChannel { get }
  /// The number of deliveries that it can process concurrently. Each takes less than the minute after which
  /// `TakeDueDeliveries` takes a delivery again.
  var capacity: Int { get }
  /// Takes one due delivery, and those that go as one with it.
  func takeDue(_ take: TakeDueDeliveries, from database: Database) async throws -> [DueDelivery]
  /// Makes one attempt. Does not block an event loop.
  ///
  /// - Parameter companions: those that go with it, and share its outcome.
  func carry(_ delivery: DueDelivery, with companions: [DueDelivery]) async -> DeliveryOutcome
}

extension DeliverySender {
  func takeDue(_ take: TakeDueDeliveries, from database: Database) async throws -> [DueDelivery] {
    try await database.write(take)
  }
}

/// The outcome of one attempt at a delivery.
enum DeliveryOutcome: Sendable {
  /// Handed over; another program is responsible for it now.
  case sent
  /// The delivery is no longer wanted.
  case obsolete
  /// The delivery was refused permanently.
  case refused(String)
  /// Nothing was sent; retry, at the earliest after `notBefore`.
  case later(String, notBefore: Duration = .zero)
  /// It is unknown whether it was sent.
  case unsure(String)
  /// The device does not accept pushes any more ([ID-62]).
  case deviceGone
}
