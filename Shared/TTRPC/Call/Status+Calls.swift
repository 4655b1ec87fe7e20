import GoogleRPC
import ProtobufC

extension Status {
  static let callEnded = Status(.cancelled, "The call has ended")

  static let deadlineExceeded = Status(
    .deadlineExceeded, reason: "DEADLINE_EXCEEDED", "The call's deadline passed before it was done")

  /// A failure that nobody mapped: the caller learns nothing of it, the log everything.
  static let opaque = Status(
    .internal, reason: "INTERNAL", "The service failed to answer; the cause is in its log under the call's trace id")

  /// What a client can act on, in some hundred bytes: the code, how the message begins, the reason and when to try again.
  var brief: Status {
    let short = details.filter { detail in
      detail.value.count <= Self.briefDetail
        && (detail.decoded(as: ErrorInfo.self) != nil || detail.decoded(as: RetryInfo.self) != nil)
    }
    return Status(code, String(message.prefix(Self.briefMessage)), details: short)
  }

  /// Characters and bytes.
  private static let (briefMessage, briefDetail) = (200, 256)

  static func malformed(_ error: ProtobufError, _ message: String) -> Status {
    var status = Status(
      .invalidArgument, reason: "MALFORMED_MESSAGE", "The payload is not a well-formed \(message)")
    let field: String
    switch error {
    case .invalidUTF8(let name): field = String(name.dropFirst(message.utf8.count + 1))
    default: field = ""
    }
    status.details.append(
      StatusDetail(
        BadRequest(fieldViolations: [.init(field: field, description: "\(error)", reason: "MALFORMED")])))
    return status
  }
}
