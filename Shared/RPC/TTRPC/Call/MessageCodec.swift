import ProtobufC

/// Encodes and decodes the messages of one type.
struct MessageCodec<Message: Sendable>: Sendable {
  /// Prepares a message for its frame; the arena must not be reset before it was copied.
  let pack: @Sendable (Message, Arena) -> OutgoingMessage
  /// Decodes a message in place.
  let read: @Sendable (UnsafeRawBufferPointer, Arena) throws(ProtobufError) -> Message
  /// Decodes a message in place, and sets the bytes of memory that it takes.
  let readHolding: @Sendable (UnsafeRawBufferPointer, Arena, inout Int) throws(ProtobufError) -> Message
  /// The message's name in a refusal.
  let name: String
}

extension MessageCodec where Message: ProtobufMessage {
  /// The codec of a generated type.
  static var generated: MessageCodec {
    MessageCodec(
      pack: { message, arena in .packed(message.packed(in: arena)) },
      read: { bytes, arena throws(ProtobufError) in try Message.decode(bytes, in: arena) },
      readHolding: { bytes, arena, held throws(ProtobufError) in
        try Message.decode(bytes, in: arena, holding: &held)
      },
      name: Message.protobufName)
  }
}

extension MessageCodec where Message == [UInt8] {
  /// The codec for serialized messages of a type that this program does not know.
  static var serialized: MessageCodec {
    MessageCodec(
      pack: { bytes, _ in .bytes(bytes) }, read: { bytes, _ in Array(bytes) },
      readHolding: { bytes, _, held in
        held = bytes.count
        return Array(bytes)
      }, name: "message")
  }
}

/// An encoded message to be written to a frame.
enum OutgoingMessage {
  case packed(PackedMessage)
  case bytes([UInt8])

  var size: Int {
    switch self {
    case .packed(let message): message.size
    case .bytes(let bytes): bytes.count
    }
  }

  /// Writes exactly `size` bytes.
  func copy(to destination: UnsafeMutableRawPointer) {
    switch self {
    case .packed(let message): message.copy(to: destination)
    case .bytes(let bytes):
      bytes.withUnsafeBytes { source in
        if let start = source.baseAddress { destination.copyMemory(from: start, byteCount: source.count) }
      }
    }
  }
}
