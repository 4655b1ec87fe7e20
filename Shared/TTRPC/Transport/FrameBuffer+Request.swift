import CTTRPCWire
import NIOCore
import ProtobufC
import TTRPCWire

extension FrameBuffer {
  /// Appends the Request that starts `call`. The caller resets the arena.
  ///
  /// - Parameter now: before the call's deadline; what is left of it is sent along.
  /// - Returns: the refusal when the envelope would be too long; nothing is appended then.
  mutating func appendRequest(
    _ call: ClientCall, on streamID: UInt32, at now: NIODeadline, in arena: Arena
  ) -> Status? {
    let payload = call.payload(in: arena)
    var envelope = Ttrpc__Request()
    ttrpc__request__init(&envelope)
    envelope.service = arena.copy(call.method.service)
    envelope.method = arena.copy(call.method.name)
    envelope.timeout_nano = call.deadline.map { max(($0 - now).nanoseconds, 1) } ?? 0
    let flags = Self.flags(call.method.kind)
    let pairs = call.options.metadata.pairs
    var pairPointers = Self.pairs(pairs, in: arena)
    return pairPointers.withUnsafeMutableBufferPointer { pointers in
      envelope.n_metadata = pairs.count
      envelope.metadata = pointers.baseAddress
      return withUnsafePointer(to: &envelope) { append($0, payload, on: streamID, flags) }
    }
  }

  private static func flags(_ kind: MethodKind) -> FrameFlags {
    switch kind {
    case .unary: []
    case .serverStreaming: .remoteClosed
    case .clientStreaming, .bidirectional: [.remoteOpen, .noData]
    }
  }

  private mutating func append(
    _ envelope: UnsafePointer<Ttrpc__Request>, _ payload: OutgoingMessage?, on streamID: UInt32, _ flags: FrameFlags
  ) -> Status? {
    let rest = ttrpc__request__get_packed_size(envelope)
    let size = payload?.size ?? 0
    let length = rest + Envelope.fieldSize(size)
    guard length <= FrameHeader.maximumLength else { return .tooLarge(length) }
    append(FrameHeader(length: UInt32(length), streamID: streamID, type: .request, flags: flags)) { body in
      let end = body + ttrpc__request__pack(envelope, body.assumingMemoryBound(to: UInt8.self))
      if size > 0 { payload?.copy(to: Envelope.writeField(3, size: size, to: end)) }
    }
    return nil
  }

  private static func pairs(
    _ pairs: [Metadata.Pair], in arena: Arena
  ) -> [UnsafeMutablePointer<Ttrpc__KeyValue>?] {
    pairs.map { pair in
      let entry = arena.message(Ttrpc__KeyValue.self, TTRPCWire.KeyValue.cDescriptor)
      entry.pointee.key = arena.copy(pair.name)
      entry.pointee.value = arena.copy(pair.value)
      return entry
    }
  }
}
