import IdentityStore

/// Brings what is due on one channel to the users it is for.
protocol DeliverySender: Sendable {
  /// The channel.
  var channel: DeliveryChannel { get }
  /// How many deliveries it can work on side by side. All of them together take less than `TakeDueDeliveries.firstWait`.
  var capacity: Int { get }
  /// Tries once. Blocks no event loop.
  func carry(_ delivery: DueDelivery) async -> DeliveryOutcome
}

/// How one attempt at a delivery went.
enum DeliveryOutcome: Sendable {
  /// Another program is responsible for it now.
  case sent
  /// It is not wanted any more.
  case obsolete
  /// It cannot be delivered, ever.
  case refused(String)
  /// Nothing was sent; try again, not before so long.
  case later(String, notBefore: Duration = .zero)
  /// It may have been sent, and may not.
  case unsure(String)
  /// The device that it is for takes nothing any more ([ID-62]).
  case deviceGone
}
