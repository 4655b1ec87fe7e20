import Cryptography
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
import ProviderAdapters

extension TrackerOperations {
  /// Older calls are not believed: for how long calls are remembered, repeated ones are recognised.
  private static let oldestCall: Duration = .seconds(86_400)
  /// For how long calls that tell no time and say the same are one that is sent again.
  private static let repetitions: Duration = .seconds(3_600)
  /// Activities of one connection that may wait to be imported; the scheduled imports bring those of the last week in any case.
  private static let maxChanges: Int64 = 500

  /// The user of whom a provider says that an activity is gone; `nil` for other calls, and where no such user is connected.
  package func userWithDeletion(in notice: WebhookNotice, at provider: ConfiguredProvider) async throws -> UserID? {
    guard case .deletion(let subject, _, _) = notice else { return nil }
    return try await database.first(ConnectionOfSubject(provider: provider.id, subject: subject))?.userID
  }

  /// - Throws: `TrackerRefusal.webhookUntrusted` of a call that is too old.
  package func requireRecent(_ notice: WebhookNotice) throws(TrackerRefusal) {
    guard let time = notice.origin?.time else { return }
    if time < environment.clock.now - Self.oldestCall { throw .webhookUntrusted }
  }

  /// Does what a call of a provider's webhook asks for, once ([IM-6]). One that tells of a deletion runs in the user's turn.
  ///
  /// - Parameter body: of the call; it tells repeated ones apart from new ones.
  package func receiveWebhook(
    _ notice: WebhookNotice, body: [UInt8], at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws {
    guard let (subject, time) = notice.origin else { return }
    let now = environment.clock.now
    // The query is left out, because nothing signs it. A call without a time may be about something new that reads the same.
    let hour = time == nil ? now.wholeSeconds / Self.repetitions.components.seconds : 0
    let digest = Digest.sha256(Array("\(provider.id)\n\(hour)\n".utf8) + body)
    // A call that has no effect is not recorded, so that it has one when it comes again and the user has connected meanwhile.
    guard let connection = try await tx.first(ConnectionOfSubject(provider: provider.id, subject: subject)),
      try await tx.first(NoteWebhookCall(digest: digest, now: now)) != nil
    else { return }
    switch notice {
    case .challenge, .nothing: break
    case .change(_, let activity, _):
      // Where activities cannot be asked for by their ids, the list has them.
      let named = activity.flatMap { provider.adapter.request(forActivity: $0) == nil ? nil : $0 }
      try await change(of: connection, named, tx)
    case .deletion(_, let activity, _):
      try await tx.execute(DropChangedActivity(connectionID: connection.id, externalID: activity, moment: now))
      try await activities.deleteReport(activity, by: provider.id, of: connection.userID, tx)
    case .revocation: try await revocation(of: connection, time, at: provider, tx)
    }
  }

  /// - Parameter activity: the provider's id of the activity that has changed, or is new; `nil` if the call does not say.
  private func change(
    of connection: ConnectionOfSubject.Row, _ activity: String?, _ tx: Transaction
  ) async throws {
    guard let activity else { return try await syncTracker(connection.id, by: .webhook, tx) }
    try await tx.execute(
      NoteChangedActivity(
        connectionID: connection.id, externalID: activity, userID: connection.userID, now: environment.clock.now,
        most: Self.maxChanges))
    try await syncTracker(connection.id, by: .webhook, bringing: .named, tx)
  }

  private func revocation(
    of connection: ConnectionOfSubject.Row, _ time: Instant?, at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws {
    // Of an earlier consent: providers report our own revocations as well, perhaps after the user has connected again.
    if let time, time < connection.createdAt { return }
    if let running = try await tx.first(RunningImport(userID: connection.userID, provider: provider.id)) {
      _ = try await imports.finish(running, .failed, .consent, at: provider, tx)
    }
    _ = try await tx.first(RequireConsent(connectionID: connection.id, tokenVersion: connection.tokenVersion))
  }
}

extension WebhookNotice {
  /// The provider's id of the user whom it is about, and the time that the provider gives; `nil` for one that is about no user.
  fileprivate var origin: (subject: String, time: Instant?)? {
    switch self {
    case .change(let subject, _, let time), .deletion(let subject, _, let time), .revocation(let subject, let time):
      (subject, time)
    case .challenge, .nothing: nil
    }
  }
}
