import TTRPC

/// Why the server refused something: the reason in the refusal's status, and in the metric of refusals. Nearly all are
/// limits that a client exceeded.
package enum ServerLimit: String, CaseIterable, Sendable {
  case connections = "TOO_MANY_CONNECTIONS"
  case connectionsPerAddress = "TOO_MANY_CONNECTIONS_OF_ADDRESS"
  case connectionRate = "TOO_MANY_NEW_CONNECTIONS"
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
  /// A stream was ended, because the server is full and its client has most of it.
  case makingRoom = "MAKING_ROOM"
  /// Not a limit: the server is stopping.
  case draining = "DRAINING"
  /// A gateway names a client by what is no address.
  case forwardedAddress = "FORWARDED_ADDRESS_INVALID"
  /// The id of a call is invalid, or was used before.
  case streamID = "STREAM_ID_INVALID"
  /// The method is unknown.
  case unknownMethod = "UNKNOWN_METHOD"
  /// The envelope of a call is malformed.
  case malformedRequest = "MALFORMED_REQUEST"

  /// Whether an operator may have to raise it, or to find out which clients exceed it.
  package var isLimit: Bool {
    switch self {
    case .draining, .forwardedAddress, .streamID, .unknownMethod, .malformedRequest: false
    default: true
    }
  }
}

extension Status {
  /// The refusal of a response whose client does not read those before it. The call was executed, so the status does
  /// not ask for a retry.
  package static let unsent = Status(
    .resourceExhausted, reason: ServerLimit.unsentBytes.rawValue,
    "Too many answers wait for the client to take them; read those before asking for more"
  )
}
