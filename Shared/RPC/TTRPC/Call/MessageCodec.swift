import ProtobufC

/// Encodes and decodes the messages of one type.
@usableFromInline
package struct MessageCodec<Message: Sendable>: Sendable {
  /// Prepares a message for its frame; the arena must not be reset before it was copied.
  @usableFromInline package let pack: @Sendable (Message, Arena) -> OutgoingMessage
  /// Decodes a message in place.
  @usableFromInline package let read: @Sendable (UnsafeRawBufferPointer, Arena) throws(ProtobufError) -> Message
  /// Decodes a message in place, and sets the bytes of memory that it takes.
  @usableFromInline package let readHolding:
    @Sendable (UnsafeRawBufferPointer, Arena, inout Int) throws(ProtobufError) -> Message
  /// The message's name in a refusal.
  @usableFromInline package let name: String

  @usableFromInline
  init(
    pack: @escaping @Sendable (Message, Arena) -> OutgoingMessage,
    read: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws(ProtobufError) -> Message,
    readHolding: @escaping @Sendable (UnsafeRawBufferPointer, Arena, inout Int) throws(ProtobufError) -> Message,
    name: String
  ) {
    (self.pack, self.read, self.readHolding, self.name) = (pack, read, readHolding, name)
  }
}

extension MessageCodec where Message: ProtobufMessage {
  /// The codec of a generated type.
  @inlinable
  package static var generated: MessageCodec {
    MessageCodec(
      pack: { message, arena in .packed(message.packed(in: arena)) },
      read: { bytes, arena throws(ProtobufError) in try Message.decode(bytes, in: arena) },
      readHolding: { bytes, arena, held throws(ProtobufError) in
        try Message.decode(bytes, in: arena, holding: &held)
      },
      name: Message.protobufName)
  }

  /// The codec of a generated type whose messages are requests.
  @inlinable
  static func received(by decoder: RequestDecoder<Message>) -> MessageCodec {
    MessageCodec(
      pack: { message, arena in .packed(message.packed(in: arena)) },
      read: { bytes, arena throws(ProtobufError) in try decoder.decode(bytes, in: arena) },
      readHolding: { bytes, arena, held throws(ProtobufError) in
        try decoder.decode(bytes, in: arena, holding: &held)
      },
      name: Message.protobufName)
  }
}

extension MessageCodec where Message == [UInt8] {
  /// The codec for serialized messages of a type that this program does not know.
  package static var serialized: MessageCodec {
    MessageCodec(
      pack: { bytes, _ in .bytes(bytes) }, read: { bytes, _ in Array(bytes) },
      readHolding: { bytes, _, held in
        held = bytes.count
        return Array(bytes)
      }, name: "message")
  }
}

/// An encoded message to be written to a frame.
@usableFromInline
package enum OutgoingMessage {
  case packed(PackedMessage)
  case bytes([UInt8])

  package var size: Int {
    switch self {
    case .packed(let message): message.size
    case .bytes(let bytes): bytes.count
    }
  }

  /// Writes exactly `size` bytes.
  package func copy(to destination: UnsafeMutableRawPointer) {
    switch self {
    case .packed(let message): message.copy(to: destination)
    case .bytes(let bytes):
      bytes.withUnsafeBytes { source in
        if let start = source.baseAddress { destination.copyMemory(from: start, byteCount: source.count) }
      }
    }
  }
}
