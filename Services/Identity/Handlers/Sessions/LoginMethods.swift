import IdentityDomain
import IdentityFederation
import IdentityStore
import Postgres
import TTRPC

/// Sees to it that whoever takes a way to log in off an account leaves another one ([ID-11], [ID-12]).
package struct LoginMethods: Sendable {
  /// The issuers of the providers that users can log in by.
  private let issuers: Set<String>

  /// - Parameter providers: those of the settings.
  package init(_ providers: [FederatedProvider]) { issuers = Set(providers.map(\.issuer)) }

  /// Looks at what is left, once something was taken off in the transaction.
  ///
  /// - Parameter owner: locked before, so that of two who take something off neither takes the other's for the way that is left.
  /// - Throws: `LAST_LOGIN`.
  func requireOne(of owner: LockedAccount.Row, in tx: Transaction) async throws {
    let account = owner.credentials.userID
    let left = LoginWays(
      hasPassword: owner.credentials.passwordHash != nil, passkeys: try await tx.rows(PasskeysOf(account)).count,
      issuers: try await tx.rows(IdentitiesOf(account)).map(\.issuer))
    guard left.leadIn(where: issuers) else { throw Status.lastLogin }
  }
}
