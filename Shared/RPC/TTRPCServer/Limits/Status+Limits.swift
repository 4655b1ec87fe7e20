import TTRPC
import TTRPCFrames

extension Status {
  /// The refusal of a call beyond a limit; it can succeed once another call has ended.
  static func tooManyCalls(_ limit: ServerLimit, _ message: String) -> Status {
    Status(.resourceExhausted, reason: limit.rawValue, message, retryAfter: .milliseconds(100))
  }

  /// The error of a stream that is ended because the server is full and its client has more of it than others.
  static let makingRoom = Status(
    .unavailable, reason: ServerLimit.makingRoom.rawValue,
    "The server is full and this client has most of its streams; open the stream again shortly, here or at another "
      + "replica, and close those that are not needed",
    retryAfter: .seconds(5))

  /// The refusal of a call whose gateway names its client by something that is no address.
  static let forwardedAddress = Status(
    .invalidArgument, reason: ServerLimit.forwardedAddress.rawValue,
    "The last value of x-forwarded-for is to be the IPv4 or IPv6 address of the gateway's client, without a port")

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
