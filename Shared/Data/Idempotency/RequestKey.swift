import FieldViolations
import Identifiers
import TTRPC

/// Identifies a request and its repetitions ([C-4]).
public struct RequestKey: Sendable, Hashable, CustomStringConvertible {
  /// The user's id, or the service's name; empty for a caller who is not logged in.
  public let caller: String
  /// The method's full name.
  public let method: String
  /// The client's id for the call.
  public let requestID: UUID7

  public init(caller: String, method: String, requestID: UUID7) {
    self.caller = caller
    self.method = method
    self.requestID = requestID
  }

  /// The text that a sealed response is bound to.
  public var description: String { "\(caller) \(method) \(requestID)" }
}

extension CallContext {
  /// The key by which a repetition of this call is recognised ([C-4]); `nil` when it carries no id.
  public func requestKey(_ requestID: UUID7?) -> RequestKey? {
    requestID.map { RequestKey(caller: caller?.subject ?? "", method: method.fullName, requestID: $0) }
  }
}

extension Violations {
  /// The `request_id` of a call: any UUID, or `nil` when it has none ([C-4]).
  public mutating func requestID(_ text: String) -> UUID7? {
    guard !text.isEmpty else { return nil }
    return require("request_id", UUID7(text), "The request_id must be a UUID", "REQUEST_ID_INVALID")
  }
}
