/// Why the server refused something: the reason in the refusal's status, and in the count of refusals. Nearly all are limits that somebody
/// met.
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
  /// Not met but drawn: the server is stopping.
  case draining = "DRAINING"
  /// The id of a call is not one, or was used before.
  case streamID = "STREAM_ID_INVALID"
  /// Nobody serves the method.
  case unknownMethod = "UNKNOWN_METHOD"
  /// The envelope around a call is not one.
  case malformedRequest = "MALFORMED_REQUEST"

  /// Whether an operator may have to raise it, or to look who meets it.
  var isLimit: Bool {
    switch self {
    case .draining, .streamID, .unknownMethod, .malformedRequest: false
    default: true
    }
  }
}

extension Status {
  /// A call that would be one too many; another one's end makes room.
  static func tooManyCalls(_ limit: ServerLimit, _ message: String) -> Status {
    Status(.resourceExhausted, reason: limit.rawValue, message, retryAfter: .milliseconds(100))
  }

  /// The end of a stream whose first message, which is to prove who calls, does not come.
  static let firstMessageTooSlow = Status(
    .deadlineExceeded, reason: ServerLimit.firstMessageTime.rawValue,
    "The first message, which is to carry the access token, did not come in time")

  /// The refusal of a call that carries too much beside its message. It stays too much: there is nothing to wait for.
  static func metadataTooLarge(pairs: Int, bytes: Int) -> Status {
    Status(
      .resourceExhausted, reason: ServerLimit.metadata.rawValue,
      "A call's metadata may have \(pairs) pairs and \(bytes) bytes, names included")
  }

  /// The refusal of a client's stream whose messages nobody reads.
  static let unread = Status(
    .resourceExhausted, reason: ServerLimit.unreadBytes.rawValue,
    "The stream's messages came faster than they were read, and too many wait; send fewer before an answer to them")

  /// The refusal of an answer whose client does not take those before it. The call was carried out, so nothing says to repeat it.
  static let unsent = Status(
    .resourceExhausted, reason: ServerLimit.unsentBytes.rawValue,
    "Too many answers wait for the client to take them; read those before asking for more"
  )

  /// The refusal of a frame that there is no memory left to keep.
  static let overBudget = Status(
    .resourceExhausted, reason: ServerLimit.bufferedBytes.rawValue,
    "The server keeps all the unfinished messages that it may; try again shortly", retryAfter: .seconds(1))

  /// The end of a call that ran when its server stopped. What it has done so far is not known: see ``draining`` for a call not begun.
  static let stopped = Status(
    .unavailable, reason: "SERVER_STOPPED", "The service is stopping; connect again, to another replica or this one",
    retryAfter: .milliseconds(100))
}
