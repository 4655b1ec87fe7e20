// Made from notifications.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// The columns of a row of notifications and of the user whom it names.
package struct NotificationColumns: Sendable {
  package let id: NotificationID
  package let sequence: Int64
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  /// Has a placeholder for the name.
  package let title: String
  /// Has a placeholder for the name.
  package let body: String
  package let subject: String
  package let createdAt: Instant
  package let readAt: Instant?
  /// Of the user whom the notification names, for the reader.
  package let username: String?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> NotificationColumns {
    NotificationColumns(
      id: try row.next(), sequence: try row.next(), kind: try row.next(), title: try row.next(), body: try row.next(),
      subject: try row.next(), createdAt: try row.next(), readAt: try row.next(), username: try row.next())
  }
}

/// Locks a user's inbox until the transaction ends, and creates it if it is missing; returns no row when there is no
/// such account.
///
/// A transaction that locks several does so in the order of the account ids.
package struct LockInbox: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    insert into inboxes as inbox (account_id)
    select id from accounts where id = $1 for key share
    on conflict on constraint inboxes_pkey do update set last_sequence = inbox.last_sequence
    returning last_sequence
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores a notification in an inbox that the transaction has locked, and removes the oldest beyond those that are kept;
/// returns no row when one with the same source is stored already ([ID-60]).
package struct InsertNotification: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    with added as (
      insert into notifications
        (id, account_id, sequence, source_key, kind, title, body, named_user_id, subject, created_at)
      select
        $1, account_id, last_sequence + 1, $2, $3, $4, $5, $6, $7, $8
      from inboxes where account_id = $9
      on conflict on constraint notifications_source_key do nothing
      returning account_id, sequence
    ), dropped as (
      delete from notifications using added
      where notifications.account_id = added.account_id and notifications.sequence <= added.sequence - $10::bigint
    )
    update inboxes set last_sequence = added.sequence from added where inboxes.account_id = added.account_id
    returning added.sequence
    """
  package let notificationID: NotificationID
  package let sourceKey: String
  package let kind: NotificationKind
  package let title: String
  package let body: String
  package let namedUserID: UserID?
  package let subject: String
  package let now: Instant
  package let userID: UserID
  /// The number of notifications that an inbox keeps.
  package let kept: Int64

  package init(
    notificationID: NotificationID, sourceKey: String, kind: NotificationKind, title: String, body: String,
    namedUserID: UserID?, subject: String, now: Instant, userID: UserID, kept: Int64) {
    self.notificationID = notificationID
    self.sourceKey = sourceKey
    self.kind = kind
    self.title = title
    self.body = body
    self.namedUserID = namedUserID
    self.subject = subject
    self.now = now
    self.userID = userID
    self.kept = kept
  }

  package func bind(_ p: inout Parameters) {
    p.append(notificationID)
    p.append(sourceKey)
    p.append(kind)
    p.append(title)
    p.append(body)
    p.append(namedUserID)
    p.append(subject)
    p.append(now)
    p.append(userID)
    p.append(kept)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects a page of the notifications in an inbox, the newest first.
package struct NotificationsBefore: Statement {
  package typealias Row = StoredNotification
  package static let sql = """
    select notifications.id, notifications.sequence, notifications.kind, notifications.title, notifications.body,
    notifications.subject, notifications.created_at, notifications.read_at, named.username from notifications left join accounts as named on named.id = notifications.named_user_id and (
      not exists (
      select from blocks where (blocker_id = named.id and blocked_id = notifications.account_id)
        or (blocker_id = notifications.account_id and blocked_id = named.id)
    ) or exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = notifications.account_id and theirs.account_id = named.id
    )
    )
    where notifications.account_id = $1 and notifications.sequence < $2
      and (notifications.read_at is null or not $3)
    order by notifications.sequence desc limit $4
    """
  package let userID: UserID
  /// The sequence number of the last notification of the previous page.
  package let before: Int64
  package let unreadOnly: Bool
  package let limit: Int64

  package init(userID: UserID, before: Int64, unreadOnly: Bool, limit: Int64) {
    self.userID = userID
    self.before = before
    self.unreadOnly = unreadOnly
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(unreadOnly)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredNotification(NotificationColumns.decode(row))
  }
}

/// Selects the next notifications in an inbox, the oldest first ([ID-60]).
package struct NotificationsAfter: Statement {
  package typealias Row = StoredNotification
  package static let sql = """
    select notifications.id, notifications.sequence, notifications.kind, notifications.title, notifications.body,
    notifications.subject, notifications.created_at, notifications.read_at, named.username from notifications left join accounts as named on named.id = notifications.named_user_id and (
      not exists (
      select from blocks where (blocker_id = named.id and blocked_id = notifications.account_id)
        or (blocker_id = notifications.account_id and blocked_id = named.id)
    ) or exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = notifications.account_id and theirs.account_id = named.id
    )
    )
    where notifications.account_id = $1 and notifications.sequence > $2
    order by notifications.sequence limit $3
    """
  package let userID: UserID
  /// The sequence number before them.
  package let after: Int64
  package let limit: Int64

  package init(userID: UserID, after: Int64, limit: Int64) {
    self.userID = userID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredNotification(NotificationColumns.decode(row))
  }
}

/// Selects the newest sequence numbers of some inboxes; returns no row for one that has never had a notification.
package struct InboxPositions: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let position: Int64
  }

  package static let sql = """
    select account_id as user_id, last_sequence as position from inboxes where account_id = any($1)
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), position: try row.next())
  }
}

/// Counts the unread notifications in an inbox.
package struct CountUnread: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    select count(*)::integer as unread from notifications where account_id = $1 and read_at is null
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Whether an inbox has an unread notification of a kind that was stored after a moment.
package struct HasUnreadNotification: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (
      select from notifications
      where account_id = $1 and kind = $2 and read_at is null and created_at > $3
    ) as has_unread
    """
  package let userID: UserID
  package let kind: NotificationKind
  package let createdAfter: Instant

  package init(userID: UserID, kind: NotificationKind, createdAfter: Instant) {
    self.userID = userID
    self.kind = kind
    self.createdAfter = createdAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kind)
    p.append(createdAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Marks notifications in an inbox as read; returns one row for each that was unread.
package struct MarkNotificationsRead: Statement {
  package typealias Row = Int32
  package static let sql = """
    update notifications set read_at = greatest($1, created_at)
    where id in (
      select id from notifications
      where account_id = $2 and read_at is null and (id = any($3) or sequence <= $4)
      order by sequence for update
    )
    returning 1 as marked
    """
  package let now: Instant
  package let userID: UserID
  package let notificationIDs: [NotificationID]
  /// Those with this sequence number and lesser ones are marked too.
  package let upTo: Int64

  package init(now: Instant, userID: UserID, notificationIDs: [NotificationID], upTo: Int64) {
    self.now = now
    self.userID = userID
    self.notificationIDs = notificationIDs
    self.upTo = upTo
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
    p.append(notificationIDs)
    p.append(upTo)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes notifications that are 180 days old.
package struct DeleteOldNotifications: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from notifications where id in (
      select id from notifications where created_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Formats a moment for each of a notification's readers; returns one row for each id of an existing account.
package struct ReaderTimes: Statement {
  package struct Row: Sendable {
    /// The reader.
    package let userID: UserID
    /// The moment in the reader's zone; empty without a moment.
    package let time: String
  }

  package static let sql = """
    select
      reader.id as user_id,
      coalesce(
        to_char($1::timestamptz at time zone coalesce(profiles.time_zone, 'UTC'), 'FMDD Mon YYYY, HH24:MI'), ''
      ) as time
    from accounts as reader
    left join profiles on profiles.account_id = reader.id
    where reader.id = any($2)
    """
  package let moment: Instant?
  package let readerIDs: [UserID]

  package init(moment: Instant?, readerIDs: [UserID]) {
    self.moment = moment
    self.readerIDs = readerIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(readerIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), time: try row.next())
  }
}
