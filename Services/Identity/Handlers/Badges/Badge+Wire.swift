import IdentityDomain
import IdentityStore
import TandemNotification
import Timestamps

extension TandemNotification.Badge {
  /// The badge as users see it.
  init(_ stored: StoredBadge) {
    let badge = IdentityDomain.Badge(rawValue: stored.kind)
    self.init(
      kind: badge?.wire ?? .unspecified, title: badge?.title ?? "", description: badge?.description ?? "",
      awardTime: stored.awardedAt.timestamp)
  }
}

extension IdentityDomain.Badge {
  var wire: BadgeKind {
    switch self {
    case .firstSession: .firstSession
    case .tenSessions: .tenSessions
    case .fiftySessions: .fiftySessions
    case .hundredSessions: .hundredSessions
    case .sevenDayStreak: .sevenDayStreak
    case .firstBookLent: .firstBookLent
    case .tenBooksLent: .tenBooksLent
    case .firstTracker: .firstTracker
    case .hundredKilometres: .hundredKilometres
    case .firstWorkout: .firstWorkout
    case .fiftyWorkouts: .fiftyWorkouts
    }
  }
}
