import Expiry
import IdentityDomain
import Identifiers
import Postgres

package struct StoredNotification: RowDecodable, Equatable {
  package let id: NotificationID
  package let sequence: Int64
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  package let title: String
  package let body: String
  package let subject: String
  package let createdAt: Instant
  package let readAt: Instant?

  static let columns = "id, sequence, kind, title, body, subject, created_at, read_at"

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredNotification {
    StoredNotification(
      id: try row.next(), sequence: try row.next(), kind: try row.next(), title: try row.next(), body: try row.next(),
      subject: try row.next(), createdAt: try row.next(), readAt: try row.next())
  }
}

/// Locks a user's inbox until the transaction ends, and creates it if it is missing; returns no row when there is no
/// such account.
///
/// A transaction that locks several does so in the order of the account ids.
package struct LockInbox: Statement {
  package typealias Row = Int64
  package static let sql = """
    insert into inboxes as inbox (account_id)
    select id from accounts where id = $1 for key share
    on conflict on constraint inboxes_pkey do update set last_sequence = inbox.last_sequence
    returning last_sequence
    """
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Stores a notification in an inbox that the transaction has locked; returns no row when one with the same source is
/// stored already ([ID-60]).
package struct InsertNotification: Statement {
  package typealias Row = Int64
  package static let sql = """
    with added as (
      insert into notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
      select $1, account_id, last_sequence + 1, $3, $4, $5, $6, $7, $8 from inboxes where account_id = $2
      on conflict on constraint notifications_source_key do nothing
      returning account_id, sequence
    )
    update inboxes set last_sequence = added.sequence from added where inboxes.account_id = added.account_id
    returning added.sequence
    """
  let id: NotificationID
  let userID: UserID
  let source: SourceKey
  let news: News
  let subject: String
  let now: Instant

  package init(
    id: NotificationID, to userID: UserID, _ news: News, about subject: String, because source: SourceKey,
    now: Instant
  ) {
    self.id = id
    self.userID = userID
    self.source = source
    self.news = news
    self.subject = subject
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(source.text)
    p.append(news.kind.rawValue)
    p.append(news.title.text)
    p.append(news.body.text)
    p.append(subject)
    p.append(now)
  }
}

/// Selects a page of the notifications in an inbox, the newest first.
package struct NotificationsBefore: Statement {
  package typealias Row = StoredNotification
  package static let sql = """
    select \(StoredNotification.columns) from notifications
    where account_id = $1 and sequence < $2 and (read_at is null or not $3)
    order by sequence desc limit $4
    """
  let userID: UserID
  let before: Int64
  let selection: NotificationSelection
  let limit: Int64

  package init(of userID: UserID, before: Int64, _ selection: NotificationSelection, limit: Int) {
    self.userID = userID
    self.before = before
    self.selection = selection
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(selection == .unread)
    p.append(limit)
  }
}

/// Which notifications are selected.
package enum NotificationSelection: String, Sendable {
  case all
  case unread
}

/// Selects the next notifications in an inbox, the oldest first ([ID-60]).
package struct NotificationsAfter: Statement {
  package typealias Row = StoredNotification
  package static let sql = """
    select \(StoredNotification.columns) from notifications
    where account_id = $1 and sequence > $2 order by sequence limit $3
    """
  let userID: UserID
  let after: Int64
  let limit: Int64

  package init(of userID: UserID, after: Int64, limit: Int) {
    self.userID = userID
    self.after = after
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(after)
    p.append(limit)
  }
}

/// Selects the newest sequence numbers of some inboxes; returns no row for one that has never had a notification.
package struct InboxPositions: Statement {
  /// An inbox with the sequence number of its newest notification.
  package typealias Row = (userID: UserID, position: Int64)
  package static let sql = "select account_id, last_sequence from inboxes where account_id = any($1)"
  let accountIDs: [UserID]

  package init(of accountIDs: [UserID]) { self.accountIDs = accountIDs }

  package func bind(_ p: inout Parameters) { p.append(accountIDs) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (userID: try row.next(), position: try row.next())
  }
}

/// Counts the unread notifications in an inbox.
package struct CountUnread: Statement {
  package typealias Row = Int32
  package static let sql = "select count(*)::integer from notifications where account_id = $1 and read_at is null"
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Marks notifications in an inbox as read; returns one row for each that was unread.
package struct MarkNotificationsRead: Statement {
  package typealias Row = Int32
  // Locked in a fixed order, so that two devices that mark the same notifications do not deadlock.
  package static let sql = """
    update notifications set read_at = greatest($4, created_at)
    where id in (
      select id from notifications
      where account_id = $1 and read_at is null and (id = any($2) or sequence <= $3) order by sequence for update
    )
    returning 1
    """
  let userID: UserID
  let ids: [NotificationID]
  let upTo: Int64
  let now: Instant

  package init(of userID: UserID, ids: [NotificationID], upTo: Int64, now: Instant) {
    self.userID = userID
    self.ids = ids
    self.upTo = upTo
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(ids)
    p.append(upTo)
    p.append(now)
  }
}

/// Removes notifications that are 180 days old.
package struct DeleteOldNotifications: ExpiryStatement {
  package static let kept = Lifetimes.notification
  package static let sql = """
    delete from notifications where id in (
      select id from notifications where created_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// Selects the facts for a notification's text for each of its readers; returns one row for each id of an existing
/// account.
package struct NoticeFacts: Statement {
  /// A reader, the name of the user in the text, and a time in the reader's zone.
  package typealias Row = (userID: UserID, name: String, time: String)

  package static let sql = """
    select
      reader.id, coalesce(subject.username, 'Somebody'),
      coalesce(
        to_char($3::timestamptz at time zone coalesce(profiles.time_zone, 'UTC'), 'FMDD Mon YYYY, HH24:MI'), ''
      )
    from accounts as reader
    left join profiles on profiles.account_id = reader.id
    left join accounts as subject on subject.id = $2
    where reader.id = any($1)
    """
  let readers: [UserID]
  let user: UserID?
  let moment: Instant?

  package init(for readers: [UserID], about user: UserID?, at moment: Instant?) {
    (self.readers, self.user, self.moment) = (readers, user, moment)
  }

  package func bind(_ p: inout Parameters) {
    p.append(readers)
    p.append(user)
    p.append(moment)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (userID: try row.next(), name: try row.next(), time: try row.next())
  }
}
