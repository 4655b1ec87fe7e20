import Cryptography
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres
import ProviderAdapters
import TTRPC
import TandemImporter

extension Trackers {
  /// Older calls are not believed: for how long calls are remembered, repeated ones are recognised.
  private static let oldestCall: Duration = .seconds(86_400)
  /// For how long calls that tell no time and say the same are one that is sent again.
  private static let repetitions: Duration = .seconds(3_600)
  private static let maxFields = 100

  /// Takes a call of a provider's webhook ([IM-6]).
  package func receiveWebhook(
    _ call: ReceiveWebhookRequest, _ context: CallContext
  ) async throws -> ReceiveWebhookResponse {
    let provider = try provider(call.provider)
    guard let webhook = provider.adapter.webhook, let secret = provider.webhookSecret else {
      throw Status.noSuchTracker
    }
    guard call.query.count + call.headers.count <= Self.maxFields else { throw Status.webhookMalformed }
    let heard = WebhookCall(
      method: call.method.uppercased(), query: Self.fields(call.query) { $0 },
      headers: Self.fields(call.headers) { $0.lowercased() }, body: call.body)
    let notice: WebhookNotice
    do { notice = try webhook.read(heard, secret: secret) } catch {
      throw error == .untrusted ? Status.webhookUntrusted : Status.webhookMalformed
    }
    switch notice {
    case .challenge(let reply):
      return ReceiveWebhookResponse(status: Int32(reply.status), contentType: reply.contentType, body: reply.body)
    case .change(let subject, let activity, let time):
      // Where activities cannot be asked for by their ids, the list has them.
      let named = activity.flatMap { provider.adapter.request(forActivity: $0) == nil ? nil : $0 }
      try await take(call, time, subject, at: provider) { try await change(of: $0, named, $1) }
    case .deletion(let subject, let activity, let time):
      let known = try await database.first(ConnectionOfSubject(provider: provider.id, subject: subject))
      guard let user = known?.userID else { break }
      try await imports.store.inTurn(of: user) {
        try await take(call, time, subject, at: provider) { connection, tx in
          let now = environment.clock.now
          try await tx.execute(DropChangedActivity(connectionID: connection.id, externalID: activity, moment: now))
          try await imports.store.deleteReport(activity, by: provider.id, of: connection.userID, in: tx)
        }
      }
    case .revocation(let subject, let time):
      try await take(call, time, subject, at: provider) { try await revocation(of: $0, time, at: provider, $1) }
    case .nothing: break
    }
    return ReceiveWebhookResponse(status: 200)
  }

  private static func fields(_ wire: [WebhookField], _ name: (String) -> String) -> [String: String] {
    Dictionary(wire.map { (name($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Does what a call asks for, once.
  private func take(
    _ call: ReceiveWebhookRequest, _ time: Instant?, _ subject: String, at provider: ConfiguredProvider,
    _ effect: (ConnectionOfSubject.Row, Transaction) async throws -> Void
  ) async throws {
    let now = environment.clock.now
    if let time, time < now - Self.oldestCall { throw Status.webhookUntrusted }
    // The query is left out, because nobody signs it. A call without a time may be about something new that reads the same.
    let hour = time == nil ? now.wholeSeconds / Self.repetitions.components.seconds : 0
    let digest = Digest.sha256(Array("\(provider.id)\n\(hour)\n".utf8) + call.body)
    try await database.repeatableTransaction { tx in
      // A call that has no effect is not recorded, so that it has one when it comes again and the user has connected meanwhile.
      guard let connection = try await tx.first(ConnectionOfSubject(provider: provider.id, subject: subject)),
        try await tx.first(NoteWebhookCall(digest: digest, now: now)) != nil
      else { return }
      try await effect(connection, tx)
    }
  }

  /// - Parameter activity: the provider's id of the activity that has changed, or is new; `nil` if the call does not say.
  private func change(
    of connection: ConnectionOfSubject.Row, _ activity: String?, _ tx: Transaction
  ) async throws {
    guard let activity else { return try await upkeep.sync(connection.id, by: .webhook, tx) }
    try await tx.execute(
      NoteChangedActivity(
        connectionID: connection.id, externalID: activity, userID: connection.userID, now: environment.clock.now,
        most: Self.maxChanges))
    try await upkeep.sync(connection.id, by: .webhook, bringing: .named, tx)
  }

  /// Activities of one connection that may wait to be imported; the scheduled imports bring those of the last week in any case.
  private static let maxChanges: Int64 = 500

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
