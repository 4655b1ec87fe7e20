import TTRPC

extension FrameBuffer {
  /// Appends the Request that starts a call; the caller resets the arena that its message was packed in.
  ///
  /// - Parameters:
  ///   - payload: the message that the request carries; `nil` when the client streams.
  ///   - timeout: nanoseconds until the call's deadline; 0 for none.
  /// - Returns: the refusal when the envelope would be too long; nothing is appended then.
  package mutating func appendRequest(
    _ method: MethodDescriptor, _ payload: OutgoingMessage?, _ metadata: Metadata, timeoutNanoseconds timeout: UInt64,
    on streamID: UInt32
  ) -> Status? {
    let pairs = metadata.pairs
    let length =
      Envelope.fieldSize(method.service.utf8.count) + Envelope.fieldSize(method.name.utf8.count)
      + Envelope.fieldSize(payload?.size ?? 0) + Envelope.fieldSize(number: timeout)
      + pairs.reduce(0) { $0 + Envelope.presentFieldSize(Self.size($1)) }
    guard length <= FrameHeader.maximumLength else { return .tooLarge(length) }
    let header = FrameHeader(
      length: UInt32(length), streamID: streamID, type: .request, flags: Self.flags(method.kind))
    append(header) { body in
      var place = Envelope.write(1, method.service, to: body)
      place = Envelope.write(2, method.name, to: place)
      if let payload, payload.size > 0 {
        place = Envelope.writeField(3, size: payload.size, to: place)
        payload.copy(to: place)
        place += payload.size
      }
      place = Envelope.write(4, timeout, to: place)
      for pair in pairs { place = Self.write(pair, to: place) }
    }
    return nil
  }

  private static func flags(_ kind: MethodKind) -> FrameFlags {
    switch kind {
    case .unary: []
    case .serverStreaming: .remoteClosed
    case .clientStreaming, .bidirectional: [.remoteOpen, .noData]
    }
  }

  /// The size of `ttrpc.KeyValue`.
  private static func size(_ pair: Metadata.Pair) -> Int {
    Envelope.fieldSize(pair.name.utf8.count) + Envelope.fieldSize(pair.value.utf8.count)
  }

  private static func write(_ pair: Metadata.Pair, to start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let place = Envelope.writeField(5, size: size(pair), to: start)
    return Envelope.write(2, pair.value, to: Envelope.write(1, pair.name, to: place))
  }
}
