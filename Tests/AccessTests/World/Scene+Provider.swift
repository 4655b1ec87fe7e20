import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// Logins at a provider, for the table's requests.
extension Scene {
  /// Performs the steps of `before` that concern providers; `false` for any other.
  mutating func performWithProvider(_ step: String) async throws -> Bool {
    switch step {
    // An identity at the provider is linked to the caller's account.
    case "identity": _ = try await identity(of: subject)
    default: return false
    }
    return true
  }

  /// Prepares a name in braces that concerns providers.
  mutating func prepareProvider(_ name: String) async throws {
    switch name {
    case "provider": values[name] = SoftProvider.id
    case "ownersIdentity": values[name] = try await identity(of: world.cast.owner).id
    // A user whose account has an identity returns from the provider.
    case "loginState", "loginCode", "loginHandle":
      let visit = try await visit(as: try await identity(of: someone).subject)
      (values["loginState"], values["loginCode"], values["loginHandle"]) = (visit.state, visit.code, visit.handle)
    case "ticket", "ticketHandle": try await prepareTicket()
    // The owner, who is linking an identity, returns from the provider.
    case "linkState", "linkCode":
      let start = try await federated.startIdentityLink(
        StartIdentityLinkRequest(providerID: SoftProvider.id), try await world.cast.owner.options(at: world.identity))
      let callback = try world.provider.visit(
        start.authorizationURL, as: "visitor\(world.numbers.next())", at: world.clock.now)
      (values["linkState"], values["linkCode"]) = (callback.state, callback.code)
    default: break
    }
  }

  private var federated: FederatedLoginsClient { FederatedLoginsClient(world.identity.client()) }

  /// Links a new identity to a user's account.
  private func identity(of user: CastMember) async throws -> (id: String, subject: String) {
    let (id, subject) = (world.someID(), "visitor\(world.numbers.next())")
    try await world.sql(
      """
      insert into identity.federated_identities (id, account_id, issuer, subject, email, created_at)
      values ('\(id)', '\(user.id)', '\(world.provider.issuer)', '\(subject)', '\(user.email)', now())
      """)
    return (id, subject)
  }

  private func visit(as subject: String) async throws -> (state: String, code: String, handle: String) {
    let start = try await federated.startFederatedLogin(
      StartFederatedLoginRequest(providerID: SoftProvider.id), .patient)
    let callback = try world.provider.visit(start.authorizationURL, as: subject, at: world.clock.now)
    return (callback.state, callback.code, start.handle)
  }

  /// A ticket of an identity that is not linked to an account.
  private mutating func prepareTicket() async throws {
    let visit = try await visit(as: "visitor\(world.numbers.next())")
    let call = CompleteFederatedLoginRequest(state: visit.state, code: visit.code, handle: visit.handle)
    let refused = try await refusal { try await federated.completeFederatedLogin(call, .patient) }
    values["ticket"] = try #require(refused.errorInfo?.metadata["ticket"], "\(refused)")
    values["ticketHandle"] = visit.handle
  }
}
