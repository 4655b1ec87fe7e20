import GoogleRPC
import NIOCore
import ProtobufC
import TTRPCFrames
import TTRPCWire

/// What a server sent on one connection, checked as it comes: whole frames of its own kinds, and nothing of a call after its end.
struct Transcript {
  private var reader = FrameReader()
  private var ended: Set<UInt32> = []
  private var sent = 0
  private var understood = 0

  /// Whether every byte belonged to a frame that came whole.
  var isWhole: Bool { sent == understood }

  mutating func append(_ bytes: ByteBuffer) {
    sent += bytes.readableBytes
    var frames: [(FrameHeader, [UInt8])] = []
    reader.read(bytes) { event in
      guard case .frame(let header, let body) = event else { preconditionFailure("the server sends a frame too long") }
      frames.append((header, Array(body)))
      return true
    }
    for (header, body) in frames {
      understood += FrameHeader.size + body.count
      take(header, body)
    }
  }

  private mutating func take(_ header: FrameHeader, _ body: [UInt8]) {
    switch header.type {
    case .data:
      precondition(!ended.contains(header.streamID), "the server sends data on a stream that it has ended")
      precondition(header.flags.isEmpty || header.flags == [.remoteClosed, .noData], "the server sends other flags")
      guard !header.flags.isEmpty else { return }
      precondition(body.isEmpty, "the end of a stream carries bytes")
    case .response:
      precondition(header.flags.isEmpty, "the server sends a response with flags")
      let answer = status(of: body)
      // What follows the end is refused, and refusals are answers too.
      precondition(!ended.contains(header.streamID) || answer.map { $0.code != 0 } ?? false, "a call ends well twice")
      // Data without a call ends none: one may begin there later.
      if answer?.message == "StreamID is no longer active" { return }
    default: preconditionFailure("the server sends a frame of type \(header.type.rawValue)")
    }
    ended.insert(header.streamID)
  }

  private func status(of body: [UInt8]) -> GoogleRPC.Status? {
    do { return try TTRPCWire.Response(serialized: body).status } catch {
      preconditionFailure("the server sends a malformed response: \(error)")
    }
  }
}
