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
