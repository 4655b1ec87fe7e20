import ProtobufC
import TTRPCWire

extension Status {
  /// The refusal of a call by a server that is stopping. The call was not begun: a client may make it elsewhere, whatever its method.
  static let draining = Status(
    .unavailable, reason: ServerLimit.draining.rawValue,
    "The service is stopping; call another replica, or this one again shortly", retryAfter: .seconds(1))

  /// Whether a server refused the call because it is stopping.
  var isDraining: Bool { code == .unavailable && errorInfo?.reason == ServerLimit.draining.rawValue }
}

/// How a server tells its clients that it is stopping, since ttrpc has no frame for it: by the refusal that a call would get, on a stream
/// that no call can have.
///
/// Clients pass over what comes for streams they do not know, all of them; ours takes its calls elsewhere from then on, and so loses none
/// that it sends while the server closes.
enum GoAway {
  static let streamID: UInt32 = 0

  /// What the server says; `nil` when the Response is no such notice.
  static func read(_ header: FrameHeader, _ body: UnsafeRawBufferPointer, _ arena: Arena) -> Status? {
    guard header.type == .response, header.streamID == streamID else { return nil }
    // What cannot be read is nothing that a server of ours said.
    guard let response = try? TTRPCWire.Response.decode(body, in: arena), let wire = response.status else { return nil }
    let status = Status(wire: wire)
    return status.isDraining ? status : nil
  }
}
