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

extension RequestKey {
  /// Spells every occurrence of an id in lower case.
  static func lowercase(_ id: UUID7, in bytes: inout [UInt8]) {
    let wanted = Array(id.description.utf8)
    guard bytes.count >= wanted.count else { return }
    for start in 0...(bytes.count - wanted.count) where bytes[start] | 0x20 == wanted[0] {
      let range = start..<(start + wanted.count)
      if spells(wanted, bytes[range]) { bytes.replaceSubrange(range, with: wanted) }
    }
  }

  /// Whether `bytes` are the characters of `wanted`, hexadecimal digits and hyphens in lower case, in either case.
  private static func spells(_ wanted: [UInt8], _ bytes: ArraySlice<UInt8>) -> Bool {
    // Of these characters a capital letter differs in one bit from its small one; digits and hyphens have that bit set.
    zip(wanted, bytes).allSatisfy { $0 == $1 || ($0 == $1 | 0x20 && (0x41...0x46).contains($1)) }
  }
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
