import IdentityDomain
import Identifiers
import Postgres

/// A user's preference for a kind of notification.
package struct StoredPreference: Sendable, Equatable {
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  package let channels: Channels
}

/// Selects a user's preferences, for the kinds that they have set.
package struct PreferencesOf: Statement {
  package static let sql = "select kind, by_mail, by_push from notification_preferences where account_id = $1"
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredPreference {
    let (kind, byMail, byPush): (String, Bool, Bool) = (try row.next(), try row.next(), try row.next())
    return StoredPreference(kind: kind, channels: Channels(byMail, byPush))
  }
}

/// Sets one or both channels of a kind; a channel that was never set gets the kind's default.
package struct SetPreference: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into notification_preferences as chosen (account_id, kind, by_mail, by_push)
    values ($1, $2, coalesce($3::boolean, $5::boolean), coalesce($4::boolean, $6::boolean))
    on conflict on constraint notification_preferences_pkey do update
    set by_mail = coalesce($3, chosen.by_mail), by_push = coalesce($4, chosen.by_push)
    """
  let userID: UserID
  let kind: NotificationKind
  let byMail: Bool?
  let byPush: Bool?

  /// - Parameters:
  ///   - byMail: `nil` leaves it unchanged.
  ///   - byPush: `nil` leaves it unchanged.
  package init(of userID: UserID, _ kind: NotificationKind, byMail: Bool?, byPush: Bool?) {
    self.userID = userID
    self.kind = kind
    self.byMail = byMail
    self.byPush = byPush
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kind.rawValue)
    p.append(byMail)
    p.append(byPush)
    p.append(kind.defaultChannels.contains(.mail))
    p.append(kind.defaultChannels.contains(.push))
  }
}

/// Selects the channels beside the inbox for a kind of notification to an account; returns no row when there is no such
/// account.
package struct WantedChannels: Statement {
  /// The channels that are wanted and possible, and the devices to push to.
  package typealias Row = (channels: Channels, devices: [DeviceID])
  package static let sql = """
    select
      coalesce(chosen.by_mail, $3) and accounts.verified_at is not null, coalesce(chosen.by_push, $4),
      array(select devices.id from devices where devices.account_id = accounts.id order by devices.id)
    from accounts
    left join notification_preferences as chosen on chosen.account_id = accounts.id and chosen.kind = $2
    where accounts.id = $1
    """
  let userID: UserID
  let kind: NotificationKind

  package init(of userID: UserID, for kind: NotificationKind) {
    self.userID = userID
    self.kind = kind
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kind.rawValue)
    p.append(kind.defaultChannels.contains(.mail))
    p.append(kind.defaultChannels.contains(.push))
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let (byMail, byPush): (Bool, Bool) = (try row.next(), try row.next())
    return (channels: Channels(byMail, byPush), devices: try row.next())
  }
}

extension Channels {
  fileprivate init(_ byMail: Bool, _ byPush: Bool) {
    self = []
    if byMail { insert(.mail) }
    if byPush { insert(.push) }
  }
}
