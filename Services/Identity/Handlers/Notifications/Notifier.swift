import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

/// A notification for one user.
package struct Notice: Sendable {
  package let recipient: UserID
  /// The event that the user is notified of.
  package let news: News
  /// The source of the notice, such as the event's id, by which duplicates are recognised.
  package let source: SourceKey
  /// The object that it concerns, as a path of words and ids.
  package let subject: String

  private static let maxSubjectLength = 200

  /// - Parameter subject: such as `groups/019bc186-de00-7000-8080-000000000000`; truncated to 200 characters.
  package init(_ news: News, to recipient: UserID, because source: SourceKey, about subject: String = "") {
    self.recipient = recipient
    self.news = news
    self.source = source
    self.subject = String(String.UnicodeScalarView(subject.unicodeScalars.prefix(Self.maxSubjectLength)))
  }
}

/// Notifies users: stores notifications in their inboxes, and has them mailed and pushed as each user prefers ([ID-60],
/// [ID-61]).
///
/// ```swift
/// try await notifier.notify([Notice(.bookRequested(title: title, by: name), to: owner, because: key)], in: tx)
/// ```
package struct Notifier: Sendable {
  /// The channels that the service is configured for; others are not used, whatever users prefer.
  let channels: Channels
  let environment: Environment
  let inboxes: InboxWatch
  let deliveryWorker: DeliveryWorker

  /// Stores the notices in the transaction, each once: a duplicate for the same recipient is skipped, as is a notice
  /// for an account that does not exist any more.
  ///
  /// A transaction must store all its notices in one call, because the inboxes are locked in a fixed order that
  /// prevents deadlocks. The commit wakes the readers of the inboxes and the senders.
  package func notify(_ notices: [Notice], in tx: Transaction) async throws {
    for notice in notices.sorted(by: { $0.recipient < $1.recipient }) { try await notify(notice, in: tx) }
    if !notices.isEmpty { tx.afterCommit { [deliveryWorker] in deliveryWorker.wake() } }
  }

  private func notify(_ notice: Notice, in tx: Transaction) async throws {
    let (now, id): (Instant, NotificationID) = (environment.clock.now, environment.newID())
    guard try await tx.first(LockInbox(userID: notice.recipient)) != nil else { return }
    let added = try await tx.first(
      InsertNotification(
        notificationID: id, userID: notice.recipient, news: notice.news, subject: notice.subject,
        source: notice.source, now: now))
    guard added != nil else { return }
    tx.afterCommit { [inboxes] in inboxes.publish(to: notice.recipient) }
    try await send(id, notice, at: now, in: tx)
  }

  private func send(_ id: NotificationID, _ notice: Notice, at now: Instant, in tx: Transaction) async throws {
    guard let wanted = try await tx.first(WantedChannels(userID: notice.recipient, kind: notice.news.kind)) else {
      return
    }
    let used = wanted.channels.intersection(channels)
    if used.contains(.mail) {
      try await tx.execute(
        InsertNotificationMail(
          deliveryID: environment.newID(), userID: notice.recipient, notificationID: id, now: now))
    }
    if used.contains(.push), !wanted.devices.isEmpty {
      try await tx.execute(
        InsertPushes(
          userID: notice.recipient, notificationID: id, now: now,
          deliveryIDs: wanted.devices.map { _ in environment.newID() }, deviceIDs: wanted.devices))
    }
  }
}
