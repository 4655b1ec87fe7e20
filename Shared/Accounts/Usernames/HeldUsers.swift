public import Events
import Identifiers
import Postgres
import TandemEvents

extension EventSubscription {
  /// Locks the rows of all users that events of accounts or of blocks concern, in the order of their ids.
  ///
  /// The handlers of one transaction lock users by a statement for each type of event. In the order of the types, two
  /// consumers that concern the same users would deadlock.
  public static let holdingUsers: Preparation = { events, tx in
    // Their keys are a user's id, or two with a slash between. One without an id is refused by its handler.
    let users = Set(events.flatMap { $0.key.split(separator: "/").compactMap { UserID(String($0)) } })
    try await tx.execute(HoldUsers(userIDs: Array(users)))
  }
}
