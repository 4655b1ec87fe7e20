import Identifiers
import Live

/// Signals the readers of inboxes, at every replica, that there may be something new. A lost signal costs time and nothing else.
package struct InboxSignalling: Sendable {
  /// One channel for all inboxes, with the account's id as payload: a replica subscribes once, however many inboxes are
  /// read at it, and after a gap one statement finds which of them have grown.
  package static let channel = LiveChannel("identity.inboxes")

  private let live: any LiveBus

  package init(live: any LiveBus) { self.live = live }

  /// Signals the readers of an inbox. Call it after the commit of what they are to read.
  func publish(to userID: UserID) { live.publish(userID.uuid.bytes, to: Self.channel) }
}
