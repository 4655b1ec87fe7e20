import IdentityStore
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Returns the caller's own account, by one statement ([ID-14]).
  package func getOwnAccount(
    _ call: GetOwnAccountRequest, _ context: CallContext
  ) async throws -> TandemIdentity.OwnAccount {
    let statement = IdentityStore.OwnAccount(now: environment.clock.now, userID: try context.userID)
    guard let own = try await database.first(statement) else { throw Status.notAUser }
    return TandemIdentity.OwnAccount(
      userID: own.userID.description, email: own.email, emailVerifyTime: own.verifiedAt?.timestamp,
      username: own.username, createTime: own.registeredAt.timestamp, hasPassword: own.hasPassword,
      passkeyCount: Int32(own.passkeyCount), providers: linkedProviders(of: own.issuers),
      missing: (own.hasGymProfile ? [] : [.gymProfile]) + (own.hasPicture ? [] : [.picture]),
      pendingEmail: own.pendingEmail ?? "", pendingEmailExpireTime: own.pendingExpiresAt?.timestamp)
  }

  /// The providers with these issuers, each once, in their order.
  func linkedProviders(of issuers: [String]) -> [LinkedProvider] {
    var seen: Set<String> = []
    return issuers.filter { seen.insert($0).inserted }.map { issuer in
      LinkedProvider(providerID: loginMethods.provider(of: issuer)?.id ?? "", issuer: issuer)
    }
  }
}
