import IdentityStore
import TTRPC
import TandemIdentity

extension FederatedLogins {
  /// Lists the identities linked to the caller's account, the oldest first ([ID-12]).
  package func listLinkedIdentities(
    _ call: ListLinkedIdentitiesRequest, _ context: CallContext
  ) async throws -> ListLinkedIdentitiesResponse {
    let found = try await database.rows(IdentitiesOf(userID: try context.userID))
    return ListLinkedIdentitiesResponse(identities: found.map { wire($0) })
  }
}
