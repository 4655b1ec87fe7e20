import IdentityStore
import TTRPC
import TandemIdentity

extension Passkeys {
  /// Lists the caller's passkeys, the oldest first ([ID-11]).
  package func listPasskeys(_ call: ListPasskeysRequest, _ context: CallContext) async throws -> ListPasskeysResponse {
    ListPasskeysResponse(passkeys: try await database.rows(PasskeysOf(userID: try context.userID)).map { Passkey($0) })
  }
}
