import IdentityDomain
import IdentityStore
import Identifiers
import TandemNotification
import Timestamps

extension TandemNotification.Notification {
  /// The notification as its reader sees it.
  init(_ stored: StoredNotification) {
    self.init(
      notificationID: stored.id.description, sequence: stored.sequence,
      kind: IdentityDomain.NotificationKind(rawValue: stored.kind)?.wire ?? .unspecified, title: stored.title,
      body: stored.body, subject: stored.subject, createTime: stored.createdAt.timestamp,
      readTime: stored.readAt?.timestamp)
  }
}

extension Preferences {
  /// The preferences of every kind: what the user chose, otherwise the kind's default, and what cannot be switched off.
  init(_ chosen: [PreferencesOf.Row]) {
    let channels = Dictionary(chosen.map { ($0.kind, $0.channels) }, uniquingKeysWith: { _, last in last })
    self.init(
      kinds: IdentityDomain.NotificationKind.allCases.map { kind in
        let wanted = (channels[kind.rawValue] ?? kind.defaultChannels).union(kind.fixedChannels)
        return KindPreference(kind: kind.wire, mail: wanted.contains(.mail), push: wanted.contains(.push))
      })
  }
}

extension Reminder {
  /// The reminder as its owner sees it.
  init(_ stored: StoredReminder) {
    let time = stored.plan.time
    self.init(
      enabled: stored.plan.state == .on, localTime: .init(hours: Int32(time.hour), minutes: Int32(time.minute)),
      weekdays: stored.plan.weekdays.numbers.map { .init(rawValue: Int32($0)) }, timeZone: stored.timeZone.description,
      nextTime: stored.dueAt?.timestamp)
  }
}
