import Blocks
import Events
import TandemEvents
import TrackingOperations

extension EventSubscription {
  /// Stores blocks, and lets viewers of groups see, or no longer see, the other members accordingly ([C-10]).
  package static func blocks(_ operations: TrackerOperations) -> EventSubscription {
    let plan = EventSubscription.blocks(
      added: { blocks, tx in try await operations.showVisibility(between: blocks, tx) },
      resynced: { tx in try await operations.showVisibilityOfAll(tx) })
    let unblocked = EventHandler(batchesOf: UserUnblocked.self) { events, tx in
      let blocks = try events.map { try Block(wire: $0.message.blockerUserID, $0.message.blockedUserID) }
      try await operations.showVisibility(between: blocks, tx)
    }
    return EventSubscription(
      of: plan.producer, name: plan.name, beginning: plan.beginning, handlers: plan.handlers + [unblocked],
      preparation: plan.preparation, resyncRestoresAll: plan.resyncRestoresAll, resync: plan.resync)
  }
}
