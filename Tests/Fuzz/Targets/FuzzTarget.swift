/// A part of the program that takes bytes from strangers, to be given any bytes at all.
///
/// Each checks what must hold whatever the bytes are, and ends the process where it does not.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// The frame decoder: however the bytes are cut, the same frames come out.
  case frames
  /// The Request envelope, read in place: it says what the generated decoder says.
  case envelope
  /// A server's whole connection, from bytes to bytes: what it sends is well-formed, and every call ends once.
  case connection
  /// The generated decoders: what they accept survives being encoded and decoded again.
  case messages
  /// What an authenticator answers: a value is the same whatever follows it.
  case passkeys
  /// What consumers read out of others' events: any event is read or refused.
  case events

  /// Runs the part on the bytes.
  public func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .frames: FrameFuzzing.run(bytes)
    case .envelope: EnvelopeFuzzing.run(bytes)
    case .connection: ConnectionFuzzing.run(bytes)
    case .messages: MessageFuzzing.run(bytes)
    case .passkeys: PasskeyFuzzing.run(bytes)
    case .events: EventFuzzing.run(bytes)
    }
  }
}
