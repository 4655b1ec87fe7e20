import IdentityDomain
import IdentityStore
import Identifiers
import TTRPC

extension CallContext {
  /// Who calls a method whose access is `user`.
  var accountID: AccountID {
    get throws(Status) {
      guard let caller, let id = AccountID(caller.subject) else { throw .notAUser }
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

  /// The peer's address without its port.
  var address: String {
    guard let colon = peer.lastIndex(of: ":") else { return peer }
    return String(peer[..<colon])
  }

  /// What makes a repetition of this call known ([C-4]); `nil` when it carries no id.
  func requestKey(_ requestID: UUID7?) -> RequestKey? {
    requestID.map { RequestKey(caller: caller?.subject ?? "", method: method.fullName, requestID: $0) }
  }
}

extension Violations {
  /// The `request_id` of a call: any UUID, or `nil` when it has none ([C-4]).
  mutating func requestID(_ text: String) -> UUID7? {
    guard !text.isEmpty else { return nil }
    return require("request_id", UUID7(text), "The request_id must be a UUID", "REQUEST_ID_INVALID")
  }
}
