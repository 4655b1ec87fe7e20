import IdentityStore
import Identifiers
import TTRPC
import UserCalls

extension CallContext {
  /// The login session that the caller's token belongs to.
  var loginSessionID: SessionID {
    get throws(Status) {
      guard let id = caller?.sessionID.flatMap({ SessionID($0) }) else { throw .notAUser }
      return id
    }
  }
}
