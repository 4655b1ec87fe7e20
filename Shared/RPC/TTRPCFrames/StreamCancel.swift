/// How this suite's client cancels a stream, since ttrpc has no frame for it: by a message that no protobuf decoder
/// accepts.
///
/// Any server fails the stream because of it, as intended; this suite's server recognises it and counts the call as
/// cancelled, not as malformed.
@usableFromInline
package enum StreamCancel {
  /// A tag of field 0, which does not exist, with wire type 7, which does not either.
  @inlinable static var tag: UInt8 { 0x07 }

  /// The body of the frame.
  static let body = [tag]

  /// Whether a Data frame's body cancels its stream.
  @inlinable
  package static func isSaid(by header: FrameHeader, _ body: UnsafeRawBufferPointer) -> Bool {
    !header.flags.contains(.noData) && body.count == 1 && body[0] == tag
  }
}
