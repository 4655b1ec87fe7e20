import IdentityStore
import Identifiers
import TTRPC

extension CallContext {
  /// The user who calls a method whose access is `user`.
  var userID: UserID {
    get throws(Status) {
      guard let caller, let id = UserID(caller.subject) else { throw .notAUser }
      return id
    }
  }

  /// The login session that the caller's token belongs to.
  var loginSessionID: SessionID {
    get throws(Status) {
      guard let id = caller?.sessionID.flatMap({ SessionID($0) }) else { throw .notAUser }
      return id
    }
  }
}
