// Made from preferences.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A user's preferences, for the kinds of notification that they have set.
package struct PreferencesOf: Statement {
  package struct Row: Sendable {
    /// The name of a kind; may be unknown to this version after a downgrade.
    package let kind: String
    package let byMail: Bool
    package let byPush: Bool
  }

  package static let sql = """
    select kind, by_mail, by_push from notification_preferences where account_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(kind: try row.next(), byMail: try row.next(), byPush: try row.next())
  }
}

/// Sets one or both channels of a kind; a channel that was never set gets the kind's default.
package struct SetPreference: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into notification_preferences as chosen (account_id, kind, by_mail, by_push)
    values (
      $1, $2, coalesce($3::boolean, $4::boolean),
      coalesce($5::boolean, $6::boolean)
    )
    on conflict on constraint notification_preferences_pkey do update
    set by_mail = coalesce($3, chosen.by_mail), by_push = coalesce($5, chosen.by_push)
    """
  package let userID: UserID
  package let kind: NotificationKind
  /// `nil` leaves it unchanged.
  package let byMail: Bool?
  package let defaultByMail: Bool
  /// `nil` leaves it unchanged.
  package let byPush: Bool?
  package let defaultByPush: Bool

  package init(
    userID: UserID, kind: NotificationKind, byMail: Bool?, defaultByMail: Bool, byPush: Bool?, defaultByPush: Bool) {
    self.userID = userID
    self.kind = kind
    self.byMail = byMail
    self.defaultByMail = defaultByMail
    self.byPush = byPush
    self.defaultByPush = defaultByPush
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kind)
    p.append(byMail)
    p.append(defaultByMail)
    p.append(byPush)
    p.append(defaultByPush)
  }
}

/// The channels beside the inbox that are wanted and possible for a kind of notification to an account, and the devices
/// to push to; no row if there is no such account.
package struct WantedChannels: SingleRowStatement {
  package struct Row: Sendable {
    package let byMail: Bool
    package let byPush: Bool
    package let devices: [DeviceID]
  }

  package static let sql = """
    select
      (coalesce(chosen.by_mail, $1) or $2::boolean)
      and accounts.verified_at is not null as by_mail,
      coalesce(chosen.by_push, $3) as by_push,
      array(select devices.id from devices where devices.account_id = accounts.id order by devices.id) as devices
    from accounts
    left join notification_preferences as chosen on chosen.account_id = accounts.id and chosen.kind = $4
    where accounts.id = $5
    """
  package let defaultByMail: Bool
  /// Whether no preference switches the mail off ([MA-9]).
  package let alwaysByMail: Bool
  package let defaultByPush: Bool
  package let kind: NotificationKind
  package let userID: UserID

  package init(defaultByMail: Bool, alwaysByMail: Bool, defaultByPush: Bool, kind: NotificationKind, userID: UserID) {
    self.defaultByMail = defaultByMail
    self.alwaysByMail = alwaysByMail
    self.defaultByPush = defaultByPush
    self.kind = kind
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(defaultByMail)
    p.append(alwaysByMail)
    p.append(defaultByPush)
    p.append(kind)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(byMail: try row.next(), byPush: try row.next(), devices: try row.next())
  }
}
