import Expiry
import IdentityDomain
import Identifiers

extension InsertNotification {
  /// - Parameter source: what the notification is made for.
  package init(
    notificationID: NotificationID, userID: UserID, news: News, subject: String, source: SourceKey, now: Instant
  ) {
    self.init(
      notificationID: notificationID, sourceKey: source.text, kind: news.kind, title: news.title.template,
      body: news.body.template, namedUserID: news.user, subject: subject, now: now, userID: userID,
      kept: Lifetimes.maxNotifications)
  }
}

extension DeleteOldNotifications: ExpiryStatement {
  package static let kept = Lifetimes.notification
}
