import Identifiers
import ImporterDomain
import ImporterOperations
import Postgres
import ProviderAdapters
import TTRPC
import TandemImporter

extension Trackers {
  private static let maxFields = 100

  /// Takes a call of a provider's webhook ([IM-6]).
  package func receiveWebhook(
    _ call: ReceiveWebhookRequest, _ context: CallContext
  ) async throws -> ReceiveWebhookResponse {
    let provider = try operations.provider(call.provider)
    guard let webhook = provider.adapter.webhook, let secret = provider.webhookSecret else {
      throw TrackerRefusal.noSuchTracker
    }
    guard call.query.count + call.headers.count <= Self.maxFields else { throw TrackerRefusal.webhookMalformed }
    let heard = WebhookCall(
      method: call.method.uppercased(), query: Self.fields(call.query) { $0 },
      headers: Self.fields(call.headers) { $0.lowercased() }, body: call.body)
    let notice: WebhookNotice
    do { notice = try webhook.read(heard, secret: secret) } catch {
      throw error == .untrusted ? TrackerRefusal.webhookUntrusted : .webhookMalformed
    }
    switch notice {
    case .challenge(let reply):
      return ReceiveWebhookResponse(status: Int32(reply.status), contentType: reply.contentType, body: reply.body)
    case .nothing: break
    case .deletion:
      // Of a user who is not connected there is nothing to delete.
      guard let user = try await operations.userWithDeletion(in: notice, at: provider) else { break }
      try operations.requireRecent(notice)
      try await operations.activities.inTurn(of: user) { try await receive(notice, call.body, at: provider) }
    case .change, .revocation:
      try operations.requireRecent(notice)
      try await receive(notice, call.body, at: provider)
    }
    return ReceiveWebhookResponse(status: 200)
  }

  private func receive(_ notice: WebhookNotice, _ body: [UInt8], at provider: ConfiguredProvider) async throws {
    try await database.repeatableTransaction { tx in
      try await operations.receiveWebhook(notice, body: body, at: provider, tx)
    }
  }

  private static func fields(_ wire: [WebhookField], _ name: (String) -> String) -> [String: String] {
    Dictionary(wire.map { (name($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
