import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres

/// Notifies users: stores notifications in their inboxes, and has them mailed and pushed as each user prefers ([ID-60],
/// [ID-61]).
///
/// ```swift
/// try await notifier.notify([Notice(.bookRequested(title: title, by: borrower), to: owner, because: key)], in: tx)
/// ```
package struct Notifier: Sendable {
  /// The channels that the service is configured for; others are not used, whatever users prefer.
  private let channels: Channels
  private let environment: Environment
  private let inboxes: InboxSignalling
  private let deliveries: any DeliverySignalling

  package init(
    channels: Channels, environment: Environment, inboxes: InboxSignalling, deliveries: any DeliverySignalling
  ) {
    (self.channels, self.environment) = (channels, environment)
    (self.inboxes, self.deliveries) = (inboxes, deliveries)
  }

  /// Stores the notices in the transaction, each once: a duplicate for the same recipient is skipped, as is a notice
  /// for an account that does not exist any more.
  ///
  /// A transaction must store all its notices in one call, because the inboxes are locked in a fixed order that
  /// prevents deadlocks. The commit wakes the readers of the inboxes and the senders.
  package func notify(_ notices: [Notice], in tx: Transaction) async throws {
    guard !notices.isEmpty else { return }
    let recipients = Set(notices.map(\.recipient)).sorted()
    let locked = try await tx.rows(each: recipients.map { LockInbox(userID: $0) })
    let open = Set(zip(recipients, locked).filter { !$1.isEmpty }.map(\.0))
    try await send(try await add(notices.filter { open.contains($0.recipient) }, in: tx), in: tx)
    tx.afterCommit { [deliveries] in deliveries.wake() }
  }

  /// A notice that was added to its recipient's inbox.
  private struct Added {
    let id: NotificationID
    let notice: Notice
    let time: Instant
  }

  /// Adds notices to inboxes that are locked, in their order, and returns those that were not there before.
  private func add(_ notices: [Notice], in tx: Transaction) async throws -> [Added] {
    let wanted = notices.map { Added(id: environment.newID(), notice: $0, time: environment.clock.now) }
    let sequences = try await tx.rows(
      each: wanted.map { one in
        InsertNotification(
          notificationID: one.id, userID: one.notice.recipient, news: one.notice.news, subject: one.notice.subject,
          source: one.notice.source, now: one.time)
      })
    let added = zip(wanted, sequences).filter { !$1.isEmpty }.map(\.0)
    for recipient in Set(added.map(\.notice.recipient)) {
      tx.afterCommit { [inboxes] in inboxes.publish(to: recipient) }
    }
    return added
  }

  private func send(_ added: [Added], in tx: Transaction) async throws {
    let wanted = try await tx.rows(
      each: added.map { WantedChannels(userID: $0.notice.recipient, kind: $0.notice.news.kind) })
    var (mails, pushes): ([QueueNotificationMail], [InsertPushes]) = ([], [])
    for (one, wanted) in zip(added, wanted) {
      guard let wanted = wanted.first else { continue }
      let (used, user) = (wanted.channels.intersection(channels), one.notice.recipient)
      if used.contains(.mail) {
        mails.append(
          QueueNotificationMail(
            environment.newID(), to: user, about: one.id, one.notice.news.kind, by: one.notice.news.user,
            now: one.time))
      }
      if used.contains(.push), !wanted.devices.isEmpty {
        pushes.append(
          InsertPushes(
            userID: user, notificationID: one.id, urgency: one.notice.news.kind.urgency,
            causeID: one.notice.news.user ?? user, now: one.time,
            deliveryIDs: wanted.devices.map { _ in environment.newID() }, deviceIDs: wanted.devices))
      }
    }
    try await tx.rows(each: mails)
    try await tx.rows(each: pushes)
  }
}
