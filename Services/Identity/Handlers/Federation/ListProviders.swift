import IdentityFederation
import TTRPC
import TandemIdentity

extension FederatedLogins {
  /// Lists the providers that users can log in by ([ID-12]).
  package func listProviders(
    _ call: ListProvidersRequest, _ context: CallContext
  ) async throws -> ListProvidersResponse {
    ListProvidersResponse(providers: providers.map { IdentityProvider(providerID: $0.id, displayName: $0.name) })
  }
}
