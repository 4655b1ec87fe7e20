import ClientAddresses
import IdentityOperations
import IdentityStore
import Identifiers
import TTRPC
import UserCalls

extension CallContext {
  /// Where the call came from.
  var origin: CallOrigin {
    CallOrigin(
      address: address, network: clientNetwork, session: caller?.sessionID.flatMap { SessionID($0) })
  }

  /// The login session that the caller's token belongs to.
  var loginSessionID: SessionID {
    get throws(Status) {
      guard let id = caller?.sessionID.flatMap({ SessionID($0) }) else { throw .notAUser }
      return id
    }
  }
}
