import FieldViolations
import GoogleRPC
import ProtobufC

extension Status {
  package static let callEnded = Status(.cancelled, "The call has ended")

  package static let deadlineExceeded = Status(
    .deadlineExceeded, reason: "DEADLINE_EXCEEDED", "The call's deadline passed before it was done")

  /// The status for an error that no handler mapped: the cause goes to the log and not to the caller.
  package static let opaque = Status(
    .internal, reason: "INTERNAL", "The service failed to answer; the cause is in its log under the call's trace id")

  /// A failure to reach a server, or to keep the connection. The message is for the operator of the client, addresses
  /// included.
  package static func unreachable(_ message: String, retryAfter: Duration = .seconds(1)) -> Status {
    Status(.unavailable, reason: unreachableReason, message, retryAfter: retryAfter)
  }

  /// Whether a client reports that it could not reach a server.
  package var isUnreachable: Bool { code == .unavailable && errorInfo?.reason == Self.unreachableReason }

  private static let unreachableReason = "SERVER_UNREACHABLE"

  /// The status cut to what a client can act on, some hundred bytes: the code, the beginning of the message, the reason
  /// and the retry delay.
  package var brief: Status {
    let short = details.filter { detail in
      detail.value.count <= Self.briefDetail
        && (detail.decoded(as: ErrorInfo.self) != nil || detail.decoded(as: RetryInfo.self) != nil)
    }
    let words = String(String.UnicodeScalarView(message.unicodeScalars.prefix(Self.briefMessage)))
    return Status(code, words, details: Array(short.prefix(Self.briefDetails)))
  }

  /// Code points; bytes of a detail; details.
  private static let (briefMessage, briefDetail, briefDetails) = (200, 256, 2)

  package static func malformed(_ error: ProtobufError, _ message: String) -> Status {
    if case .unknownEnumValues(let values) = error { return BadFields(unknown: values).status }
    var status = Status(
      .invalidArgument, reason: "MALFORMED_MESSAGE", "The payload is not a well-formed \(message)")
    let field: String
    switch error {
    case .invalidUTF8(let name): field = String(name.dropFirst(message.utf8.count + 1))
    default: field = ""
    }
    status.details.append(
      StatusDetail(
        BadRequest(fieldViolations: [.init(field: field, description: words(of: error), reason: "MALFORMED")])))
    return status
  }

  private static func words(of error: ProtobufError) -> String {
    switch error {
    case .malformed: "The bytes do not follow the wire format, or lack a required field"
    case .invalidUTF8: "The text is not UTF-8"
    case .tooDeep(let limit): "Messages lie more than \(limit) deep within each other"
    case .tooManyFields(let limit):
      "There are more than \(limit) fields, those that are not known and elements of lists included"
    case .tooLarge: "To read it would take too much memory"
    case .unknownEnumValues: "It has numbers that their enums have no names for"
    }
  }
}

extension BadFields {
  /// [C-12] Every unknown value of an enum, at once.
  init(unknown values: [UnknownEnumValue]) {
    self.init(
      violations: values.map { value in
        FieldViolation(
          field: value.path, description: "\(value.number) is no value of \(value.enumeration)",
          reason: "ENUM_VALUE_UNKNOWN")
      })
  }
}
