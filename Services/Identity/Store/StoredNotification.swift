import Identifiers
import IdentityDomain

/// A notification in an inbox, with its text as its reader sees it now: users in it have their present names ([C-9]).
package struct StoredNotification: Sendable, Equatable {
  package let id: NotificationID
  /// The position in the inbox, from 1.
  package let sequence: Int64
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  package let title: String
  package let body: String
  /// The object that it concerns, as a path of words and ids; may be empty.
  package let subject: String
  package let createdAt: Instant
  /// `nil` while it is unread.
  package let readAt: Instant?

  init(_ columns: NotificationColumns) {
    id = columns.id
    sequence = columns.sequence
    kind = columns.kind
    title = Wording.text(of: columns.title, naming: columns.username)
    body = Wording.text(of: columns.body, naming: columns.username)
    subject = columns.subject
    createdAt = columns.createdAt
    readAt = columns.readAt
  }
}
