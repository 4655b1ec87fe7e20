/// How a client of ours gives up a stream, since ttrpc has no frame for it: by a message that no protobuf decoder takes.
///
/// Any server fails the stream for it, which is what is wanted; ours recognises it and counts the call as cancelled, not as malformed.
enum StreamCancel {
  /// A tag of field 0, which does not exist, with wire type 7, which does not either.
  static let body: [UInt8] = [0x07]

  /// Whether a Data frame's body says so.
  static func isSaid(by header: FrameHeader, _ body: UnsafeRawBufferPointer) -> Bool {
    !header.flags.contains(.noData) && body.count == 1 && body[0] == Self.body[0]
  }
}
