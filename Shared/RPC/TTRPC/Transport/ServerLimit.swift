/// Why the server refused something: the reason in the refusal's status, and in the metric of refusals. Nearly all are
/// limits that a client exceeded.
enum ServerLimit: String, CaseIterable, Sendable {
  case connections = "TOO_MANY_CONNECTIONS"
  case connectionsPerAddress = "TOO_MANY_CONNECTIONS_OF_ADDRESS"
  case handshakeTime = "HANDSHAKE_TOO_SLOW"
  case firstByteTime = "FIRST_BYTE_TOO_SLOW"
  case idleTime = "IDLE_TOO_LONG"
  case frameTime = "FRAME_TOO_SLOW"
  case writeTime = "SLOW_CONSUMER"
  case frameLength = "FRAME_TOO_LONG_TO_SKIP"
  case callsPerConnection = "TOO_MANY_CALLS"
  case calls = "SERVER_BUSY"
  case callsPerAddress = "TOO_MANY_CALLS_OF_ADDRESS"
  case callsPerUser = "TOO_MANY_CALLS_OF_USER"
  case callsPerService = "TOO_MANY_CALLS_OF_SERVICE"
  case messageBytes = "MESSAGE_TOO_LARGE"
  case metadata = "METADATA_TOO_LARGE"
  case unreadBytes = "RECEIVE_BUFFER_FULL"
  case unsentBytes = "UNSENT_RESPONSE_LIMIT"
  case bufferedBytes = "BUFFERS_FULL"
  case callTime = "CALL_TOO_LONG"
  case firstMessageTime = "FIRST_MESSAGE_TOO_SLOW"
  /// Not a limit: the server is stopping.
  case draining = "DRAINING"
  /// The id of a call is invalid, or was used before.
  case streamID = "STREAM_ID_INVALID"
  /// The method is unknown.
  case unknownMethod = "UNKNOWN_METHOD"
  /// The envelope of a call is malformed.
  case malformedRequest = "MALFORMED_REQUEST"

  /// Whether an operator may have to raise it, or to find out which clients exceed it.
  var isLimit: Bool {
    switch self {
    case .draining, .streamID, .unknownMethod, .malformedRequest: false
    default: true
    }
  }
}

extension Status {
  /// The refusal of a call beyond a limit; it can succeed once another call has ended.
  static func tooManyCalls(_ limit: ServerLimit, _ message: String) -> Status {
    Status(.resourceExhausted, reason: limit.rawValue, message, retryAfter: .milliseconds(100))
  }

  /// The error of a stream whose first message, which has to authenticate the caller, does not arrive in time.
  static let firstMessageTooSlow = Status(
    .deadlineExceeded, reason: ServerLimit.firstMessageTime.rawValue,
    "The first message, which is to carry the access token, did not come in time")

  /// The refusal of a call with too much metadata. A retry would not help.
  static func metadataTooLarge(pairs: Int, bytes: Int) -> Status {
    Status(
      .resourceExhausted, reason: ServerLimit.metadata.rawValue,
      "A call's metadata may have \(pairs) pairs and \(bytes) bytes, names included")
  }

  /// The refusal of a client's stream whose messages the handler does not read.
  static let unread = Status(
    .resourceExhausted, reason: ServerLimit.unreadBytes.rawValue,
    "The stream's messages came faster than they were read, and too many wait; send fewer before an answer to them")

  /// The refusal of a response whose client does not read those before it. The call was executed, so the status does
  /// not ask for a retry.
  static let unsent = Status(
    .resourceExhausted, reason: ServerLimit.unsentBytes.rawValue,
    "Too many answers wait for the client to take them; read those before asking for more"
  )

  /// The refusal of a frame for which there is no memory left.
  static let overBudget = Status(
    .resourceExhausted, reason: ServerLimit.bufferedBytes.rawValue,
    "The server keeps all the unfinished messages that it may; try again shortly", retryAfter: .seconds(1))

  /// The error of a call that was running when its server stopped. What it has done so far is unknown: see ``draining``
  /// for a call not begun.
  static let stopped = Status(
    .unavailable, reason: "SERVER_STOPPED", "The service is stopping; connect again, to another replica or this one",
    retryAfter: .milliseconds(100))
}
