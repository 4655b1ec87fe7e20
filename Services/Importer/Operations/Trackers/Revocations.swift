import Environment
import Events
import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import Postgres
import ProviderAdapters
import TandemEvents

/// Revokes the tokens of connections that have ended, at their providers ([IM-11]), or gives that up and says so to the users.
package struct Revocations: Sendable {
  let database: Database
  let environment: Environment
  let events: Outbox
  let providers: [ConfiguredProvider]
  let tokens: TokenKeeper
  let client: ProviderClient
  let logger: Logger

  /// How long a provider is asked, from the end of the connection; then the tokens are removed all the same.
  package static let time: Duration = .seconds(2 * 86_400)
  /// How long users find what a provider did not confirm.
  package static let toldFor: Duration = ForgetOldLeftConsents.kept

  /// Revokes the tokens of a connection that has ended, and removes it.
  ///
  /// - Throws: where the provider has not confirmed it and may do so later.
  package func revoke(_ id: ConnectionID) async throws {
    guard let ending = try await database.first(EndingConnection(connectionID: id)) else { return }
    // The tokens that arrive replace those that are stored, with which nothing could be revoked then.
    guard !ending.refreshing else { throw RefreshRunning() }
    // At most providers any token of a user's stands for all of them: the consent that was given since would end, too.
    guard !ending.replaced, let sealed = ending.sealedTokens, let opened = try tokens.opened(sealed, of: id) else {
      try await database.write(DeleteConnection(connectionID: id))
      return
    }
    guard let provider = providers.first(where: { $0.id == ending.provider }),
      let answer = try await answer(to: opened, of: id, ending.subject, at: provider)
    else { return try await database.transaction { tx in try await giveUp([id], tx) } }
    guard answer.confirms else { throw Unconfirmed(status: answer.data.status) }
    try await database.write(DeleteConnection(connectionID: id))
  }

  /// What the provider says to the revocation of tokens; `nil` where it has none.
  private func answer(
    to held: (access: String, refresh: String?), of id: ConnectionID, _ subject: String?,
    at provider: ConfiguredProvider
  ) async throws -> ProviderClient.Answer? {
    let revoked = RevokedTokens(access: held.access, refresh: held.refresh, subject: subject)
    guard let request = provider.adapter.revocation(of: revoked, at: provider.endpoints) else { return nil }
    let first = try await client.send(request, to: provider, token: held.access)
    // Where the access token proves the call, an expired one revokes nothing, though the user's consent lives on.
    guard first.data.status == 401, let refresh = held.refresh,
      let new = try await tokens.renewed(refresh, of: id, at: provider)
    else { return first }
    let renewed = RevokedTokens(
      access: new.accessToken, refresh: new.refreshToken ?? refresh, subject: subject)
    guard let again = provider.adapter.revocation(of: renewed, at: provider.endpoints) else { return first }
    return try await client.send(again, to: provider, token: new.accessToken)
  }

  /// Removes connections whose tokens are not revoked, with the tokens, and tells their users what is left at the providers.
  package func giveUp(_ ids: [ConnectionID], _ tx: Transaction) async throws {
    let given = try await tx.rows(GiveUpRevocations(connectionIDs: ids, now: environment.clock.now))
    try await events.publish(each: given.compactMap(Self.notice), in: tx)
    tx.afterCommit { [logger] in
      for one in given {
        logger.warning(
          "a provider did not confirm a revocation; the tokens are removed",
          metadata: ["provider": "\(one.provider)", "connection": "\(one.connectionID)"])
      }
    }
  }

  private static func notice(_ given: GiveUpRevocations.Row) -> NotificationRequested? {
    guard let user = given.userID else { return nil }
    let name = Providers.name(of: given.provider)
    return NotificationRequested(
      notificationKey: "connections/\(given.connectionID)/left", recipientIds: ["\(user)"],
      subject: "trackers/\(given.provider)",
      news: .importEnded(.init(tracker: name, outcome: ConsentWords.unconfirmed(at: name))))
  }

  private struct RefreshRunning: Error, CustomStringConvertible {
    let description = "new tokens are being requested"
  }

  private struct Unconfirmed: Error, CustomStringConvertible {
    let status: Int
    var description: String { "the provider answered \(status)" }
  }
}

extension ProviderClient.Answer {
  /// Whether nothing is left to revoke: it is done, or the provider says by itself that it does not know the tokens or the user (any
  /// more). A proxy's refusal says neither.
  fileprivate var confirms: Bool {
    switch data.status {
    case 200..<300, 400, 401, 404, 410: true
    default: false
    }
  }
}
