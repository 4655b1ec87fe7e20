import IdentityDomain
import Identifiers
import Postgres

extension PreferencesOf.Row {
  package var channels: Channels { Channels(byMail: byMail, byPush: byPush) }
}

extension SetPreference {
  /// - Parameters:
  ///   - byMail: `nil` leaves it unchanged.
  ///   - byPush: `nil` leaves it unchanged.
  package init(userID: UserID, kind: NotificationKind, byMail: Bool?, byPush: Bool?) {
    self.init(
      userID: userID, kind: kind, byMail: byMail, defaultByMail: kind.defaultChannels.contains(.mail), byPush: byPush,
      defaultByPush: kind.defaultChannels.contains(.push))
  }
}

extension WantedChannels {
  package init(userID: UserID, kind: NotificationKind) {
    self.init(
      defaultByMail: kind.defaultChannels.contains(.mail), alwaysByMail: kind.fixedChannels.contains(.mail),
      defaultByPush: kind.defaultChannels.contains(.push), kind: kind, userID: userID)
  }
}

extension WantedChannels.Row {
  package var channels: Channels { Channels(byMail: byMail, byPush: byPush) }
}

extension Channels {
  fileprivate init(byMail: Bool, byPush: Bool) {
    self = []
    if byMail { insert(.mail) }
    if byPush { insert(.push) }
  }
}
