import GoogleRPC
import ProtobufC

/// How a call failed: what a handler throws and what a client catches.
///
/// On the wire it is a `google.rpc.Status`. A client decides by ``code`` and by the reason of ``errorInfo``, never by ``message``.
public struct Status: Error, Sendable, Equatable {
  /// What kind of failure it is.
  public var code: Code
  /// One sentence for a user, in English. Rules that quote a text put it here to the letter.
  public var message: String
  /// Structured facts; at most one of each type.
  public var details: [StatusDetail]

  /// Who defines the reasons in ``errorInfo``.
  public static let domain = "tandem"

  /// A failure without a reason for programs; prefer the one with it.
  public init(_ code: Code, _ message: String, details: [StatusDetail] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// A refusal that a client can tell apart by `reason`, UPPER_SNAKE.
  ///
  /// - Parameters:
  ///   - metadata: facts to act on, such as the end of a bar.
  ///   - retryAfter: for a refusal that repeating later can cure: how long to wait first.
  public init(
    _ code: Code, reason: String, _ message: String, metadata: [String: String] = [:], retryAfter: Duration? = nil
  ) {
    self.init(code, message)
    details.append(StatusDetail(ErrorInfo(reason: reason, domain: Self.domain, metadata: metadata)))
    if let retryAfter { details.append(.retryInfo(retryAfter)) }
  }

  /// INVALID_ARGUMENT that names every bad field at once.
  ///
  /// The message is that of the only field at fault, or counts them.
  public static func invalidArgument(_ violations: [BadRequest.FieldViolation]) -> Status {
    let message =
      violations.count == 1 ? violations[0].description : "\(violations.count) fields are invalid; see the details"
    var status = Status(.invalidArgument, reason: "INVALID_FIELDS", message)
    status.details.append(StatusDetail(BadRequest(fieldViolations: violations)))
    return status
  }

  /// UNAVAILABLE with the time after which repeating the call makes sense.
  public static func unavailable(_ message: String, retryAfter: Duration = .seconds(1)) -> Status {
    Status(.unavailable, reason: "UNAVAILABLE", message, retryAfter: retryAfter)
  }

  /// The reason for a program, where the status carries one.
  public var errorInfo: ErrorInfo? { detail() }
  /// The fields at fault, where the status names them.
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

/// One structured fact of a ``Status``: a protobuf message with its type, as `google.protobuf.Any` carries it.
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

  /// Serializes `message`.
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

/// An error that knows what a caller may be told about it.
public protocol StatusConvertible: Error {
  /// The status to answer with; it must not carry internal text.
  var status: Status { get }
}
