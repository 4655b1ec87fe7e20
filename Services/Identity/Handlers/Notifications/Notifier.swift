import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

/// Something that one user is to be told.
package struct Notice: Sendable {
  /// Who is told.
  package let recipient: UserID
  /// What happened.
  package let news: News
  /// What makes it the same notice when it comes twice: the event's id.
  package let source: SourceKey
  /// What it concerns, as a path of words and ids.
  package let subject: String

  private static let maxSubjectLength = 200

  /// - Parameter subject: such as `groups/019bc186-de00-7000-8080-000000000000`; what is beyond 200 characters is cut.
  package init(_ news: News, to recipient: UserID, because source: SourceKey, about subject: String = "") {
    self.recipient = recipient
    self.news = news
    self.source = source
    self.subject = String(String.UnicodeScalarView(subject.unicodeScalars.prefix(Self.maxSubjectLength)))
  }
}

/// Tells users what happened: puts it into their inboxes, and has it mailed and pushed as they prefer ([ID-60], [ID-61]).
///
/// ```swift
/// try await notifier.notify([Notice(.bookRequested(title: title, by: name), to: owner, because: key)], in: tx)
/// ```
package struct Notifier: Sendable {
  /// What the service is set up for; other channels are not used, whatever users prefer.
  let channels: Channels
  let environment: Environment
  let inboxes: InboxWatch
  let deliveryWorker: DeliveryWorker

  /// Stores the notices in the transaction, each once: one that its recipient was told before is passed over, as is one for an account that
  /// is no more.
  ///
  /// A transaction does this in one call for all its notices: the inboxes are locked in an order, so that two transactions do not wait for each
  /// other. Once it commits, the readers of the inboxes and the senders are woken by themselves.
  package func notify(_ notices: [Notice], in tx: Transaction) async throws {
    for notice in notices.sorted(by: { $0.recipient < $1.recipient }) { try await notify(notice, in: tx) }
    if !notices.isEmpty { tx.afterCommit { [deliveryWorker] in deliveryWorker.wake() } }
  }

  private func notify(_ notice: Notice, in tx: Transaction) async throws {
    let (now, id): (Instant, NotificationID) = (environment.clock.now, environment.newID())
    guard try await tx.first(LockInbox(of: notice.recipient)) != nil else { return }
    let added = try await tx.first(
      InsertNotification(
        id: id, to: notice.recipient, notice.news, about: notice.subject, because: notice.source, now: now))
    guard added != nil else { return }
    tx.afterCommit { [inboxes] in inboxes.publish(to: notice.recipient) }
    try await send(id, notice, at: now, in: tx)
  }

  private func send(_ id: NotificationID, _ notice: Notice, at now: Instant, in tx: Transaction) async throws {
    guard let wanted = try await tx.first(WantedChannels(of: notice.recipient, for: notice.news.kind)) else { return }
    let used = wanted.channels.intersection(channels)
    if used.contains(.mail) {
      try await tx.execute(InsertNotificationMail(id: environment.newID(), of: id, to: notice.recipient, now: now))
    }
    if used.contains(.push), !wanted.devices.isEmpty {
      try await tx.execute(
        InsertPushes(
          ids: wanted.devices.map { _ in environment.newID() }, of: id, to: notice.recipient, on: wanted.devices,
          now: now))
    }
  }
}
