import CTTRPCWire
import ProtobufC
import TTRPCWire

/// `ttrpc.Request`, read where it lies: the pointers are good until the arena is reset.
package struct RequestEnvelope {
  package let service: UnsafeBufferPointer<UInt8>
  package let method: UnsafeBufferPointer<UInt8>
  package let payload: UnsafeRawBufferPointer
  package let timeoutNanoseconds: Int64
  /// The pairs, copied out. Bytes that are not UTF-8 are replaced, as a name or value of them can match nothing.
  package let metadata: Metadata

  /// Reads `body`; `nil` when it is malformed.
  package init?(_ body: UnsafeRawBufferPointer, in arena: Arena) {
    guard
      let request = arena.unpack(Ttrpc__Request.self, TTRPCWire.Request.cDescriptor, body)
    else { return nil }
    service = Self.bytes(request.pointee.service)
    method = Self.bytes(request.pointee.method)
    payload = UnsafeRawBufferPointer(Self.bytes(request.pointee.payload))
    timeoutNanoseconds = request.pointee.timeout_nano
    metadata = Self.metadata(request)
  }

  /// Whether service and method are UTF-8, as they must be; what matched a method is, so only a name that is unknown needs the question.
  package var namesAreText: Bool {
    String(validating: service, as: UTF8.self) != nil && String(validating: method, as: UTF8.self) != nil
  }

  private static func metadata(_ request: UnsafeMutablePointer<Ttrpc__Request>) -> Metadata {
    let count = request.pointee.n_metadata
    guard count > 0, let pairs = request.pointee.metadata else { return Metadata() }
    return Metadata(
      pairs: (0..<count).compactMap { index in
        pairs[index].map { .init(name: text($0.pointee.key), value: text($0.pointee.value)) }
      })
  }

  private static func bytes(_ data: ProtobufCBinaryData) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: data.data, count: data.len)
  }

  private static func text(_ data: ProtobufCBinaryData) -> String {
    String(decoding: bytes(data), as: UTF8.self)
  }
}
