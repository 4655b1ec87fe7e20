import IdentityDomain
import IdentityFederation
import IdentityStore
import Postgres
import TTRPC

/// Ensures that removing a login method leaves the account at least one other ([ID-11], [ID-12]).
package struct LoginMethods: Sendable {
  /// The issuers of the providers that users can log in by.
  private let issuers: Set<String>
  private let providers: [FederatedProvider]

  /// - Parameter providers: the configured providers.
  package init(_ providers: [FederatedProvider]) {
    issuers = Set(providers.map(\.issuer))
    self.providers = providers
  }

  /// The configured provider with an issuer; `nil` if it has been removed from the settings.
  func provider(of issuer: String) -> FederatedProvider? { providers.first { $0.issuer == issuer } }

  /// Checks the remaining login methods after the transaction has removed one.
  ///
  /// - Parameter owner: the locked account, so that two concurrent removals cannot each rely on the method that the
  ///   other removes.
  /// - Throws: `LAST_LOGIN` when none is left.
  func requireOne(of owner: LockedAccount.Row, in tx: Transaction) async throws {
    let account = owner.credentials.userID
    let left = LoginWays(
      hasPassword: owner.credentials.passwordHash != nil,
      passkeys: try await tx.rows(PasskeysOf(userID: account)).count,
      issuers: try await tx.rows(IdentitiesOf(userID: account)).map(\.issuer))
    guard left.leadIn(where: issuers) else { throw Status.lastLogin }
  }
}
