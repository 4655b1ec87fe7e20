import ProtobufC
import TTRPC
import TTRPCWire

extension Status {
  /// The refusal of a call by a server that is stopping. The call was not begun, so a client may send it to another
  /// server, whatever its method.
  package static let draining = Status(
    .unavailable, reason: ServerLimit.draining.rawValue,
    "The service is stopping; call another replica, or this one again shortly", retryAfter: .seconds(1))

  /// Whether a server refused the call because it is stopping.
  package var isDraining: Bool { code == .unavailable && errorInfo?.reason == ServerLimit.draining.rawValue }
}

/// How a server announces to its clients that it is stopping, since ttrpc has no frame for it: it sends the refusal of
/// a draining server on a stream id that no call can have.
///
/// Clients ignore responses for streams they do not know, all of them; this suite's client sends its further calls
/// elsewhere, and so loses none while the server closes.
package enum GoAway {
  package static let streamID: UInt32 = 0

  /// The status of the notice; `nil` when the Response is not one.
  package static func read(_ header: FrameHeader, _ body: UnsafeRawBufferPointer, _ arena: Arena) -> Status? {
    guard header.type == .response, header.streamID == streamID else { return nil }
    // A response that cannot be read is not a notice of this suite's servers.
    guard let response = try? TTRPCWire.Response.decode(body, in: arena), let wire = response.status else { return nil }
    let status = Status(wire: wire)
    return status.isDraining ? status : nil
  }
}
