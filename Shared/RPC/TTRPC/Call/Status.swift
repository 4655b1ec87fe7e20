import GoogleRPC
import ProtobufC

/// How a call failed: what a handler throws and what a client catches.
///
/// On the wire it is a `google.rpc.Status`. A client decides by ``code`` and by the reason of ``errorInfo``, never by ``message``.
public struct Status: Error, Sendable, Equatable {
  public var code: Code
  /// One sentence for a user, in English. Where a rule quotes a text, it is exactly that text.
  public var message: String
  /// Structured details; at most one of each type.
  public var details: [StatusDetail]

  /// The domain of the reasons in ``errorInfo``.
  public static let domain = "tandem"

  /// A failure without a reason for programs; prefer the initializer with a reason.
  public init(_ code: Code, _ message: String, details: [StatusDetail] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// A refusal that a program can identify by `reason`, UPPER_SNAKE.
  ///
  /// - Parameters:
  ///   - metadata: facts to act on, such as the end of a suspension.
  ///   - retryAfter: for a refusal that a later retry can overcome: how long to wait first.
  public init(
    _ code: Code, reason: String, _ message: String, metadata: [String: String] = [:], retryAfter: Duration? = nil
  ) {
    self.init(code, message)
    details.append(StatusDetail(ErrorInfo(reason: reason, domain: Self.domain, metadata: metadata)))
    if let retryAfter { details.append(.retryInfo(retryAfter)) }
  }

  /// INVALID_ARGUMENT that names every invalid field at once.
  ///
  /// The message is that of the only invalid field, or gives their number.
  public static func invalidArgument(_ violations: [BadRequest.FieldViolation]) -> Status {
    let message =
      violations.count == 1 ? violations[0].description : "\(violations.count) fields are invalid; see the details"
    var status = Status(.invalidArgument, reason: "INVALID_FIELDS", message)
    status.details.append(StatusDetail(BadRequest(fieldViolations: violations)))
    return status
  }

  /// UNAVAILABLE with the time after which a retry makes sense.
  public static func unavailable(_ message: String, retryAfter: Duration = .seconds(1)) -> Status {
    Status(.unavailable, reason: "UNAVAILABLE", message, retryAfter: retryAfter)
  }

  /// The reason for a program, where the status has one.
  public var errorInfo: ErrorInfo? { detail() }
  /// The invalid fields, where the status names them.
  public var badRequest: BadRequest? { detail() }
  /// How long to wait before repeating the call, where repeating helps.
  public var retryAfter: Duration? {
    guard let delay = (detail() as RetryInfo?)?.retryDelay else { return nil }
    return .seconds(delay.seconds) + .nanoseconds(Int64(delay.nanos))
  }

  private func detail<Message: ProtobufMessage>() -> Message? {
    for detail in details {
      if let message = detail.decoded(as: Message.self) { return message }
    }
    return nil
  }
}

/// One detail of a ``Status``: a protobuf message with its type, as `google.protobuf.Any` carries it.
public struct StatusDetail: Sendable, Equatable {
  /// `type.googleapis.com/` and the message's full name.
  public var typeURL: String
  /// The message's serialized form.
  public var value: [UInt8]

  /// A message that is serialized already.
  public init(typeURL: String, value: [UInt8]) {
    self.typeURL = typeURL
    self.value = value
  }

  public init<Message: ProtobufMessage>(_ message: Message) {
    self.init(typeURL: "type.googleapis.com/\(Message.protobufName)", value: message.serialized())
  }

  /// The message, when the detail is one of that type and well formed; else `nil`.
  public func decoded<Message: ProtobufMessage>(as type: Message.Type) -> Message? {
    guard typeURL.hasSuffix("/\(Message.protobufName)") else { return nil }
    do { return try Message(serialized: value) } catch { return nil }
  }

  static func retryInfo(_ delay: Duration) -> StatusDetail {
    let (seconds, attoseconds) = delay.components
    return StatusDetail(
      RetryInfo(retryDelay: .init(seconds: seconds, nanos: Int32(attoseconds / 1_000_000_000))))
  }
}

/// An error with a status that is safe to send to a caller.
public protocol StatusConvertible: Error {
  /// The status to send; it must not carry internal text.
  var status: Status { get }
}
