import CTTRPCWire
import ProtobufC
import TTRPCWire

/// `ttrpc.Request`, read where it lies: the pointers are good until the arena is reset.
package struct RequestEnvelope {
  package let service: UnsafeBufferPointer<UInt8>
  package let method: UnsafeBufferPointer<UInt8>
  package let payload: UnsafeRawBufferPointer
  package let timeoutNanoseconds: Int64
  private let request: UnsafeMutablePointer<Ttrpc__Request>

  /// Reads `body`; `nil` when it is malformed.
  package init?(_ body: UnsafeRawBufferPointer, in arena: Arena) {
    guard
      let request = arena.unpack(Ttrpc__Request.self, TTRPCWire.Request.cDescriptor, body)
    else { return nil }
    service = Self.bytes(request.pointee.service)
    method = Self.bytes(request.pointee.method)
    payload = UnsafeRawBufferPointer(Self.bytes(request.pointee.payload))
    timeoutNanoseconds = request.pointee.timeout_nano
    self.request = request
  }

  var metadataPairs: Int { request.pointee.n_metadata }

  /// Bytes of all names and values.
  var metadataBytes: Int {
    pairs.reduce(0) { sum, pair in
      guard let pair else { return sum }
      return sum + pair.pointee.key.len + pair.pointee.value.len
    }
  }

  /// Whether service and method are UTF-8, as they must be; what matched a method is, so only a name that is unknown needs the question.
  package var namesAreText: Bool {
    String(validating: service, as: UTF8.self) != nil && String(validating: method, as: UTF8.self) != nil
  }

  /// The pairs, copied out. Bytes that are not UTF-8 are replaced, as a name or value of them can match nothing.
  package var metadata: Metadata {
    guard !pairs.isEmpty else { return Metadata() }
    return Metadata(
      pairs: pairs.compactMap { pair in
        pair.map { .init(name: Self.text($0.pointee.key), value: Self.text($0.pointee.value)) }
      })
  }

  private var pairs: UnsafeBufferPointer<UnsafeMutablePointer<Ttrpc__KeyValue>?> {
    UnsafeBufferPointer(start: request.pointee.metadata, count: request.pointee.n_metadata)
  }

  private static func bytes(_ data: ProtobufCBinaryData) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: data.data, count: data.len)
  }

  private static func text(_ data: ProtobufCBinaryData) -> String {
    String(decoding: bytes(data), as: UTF8.self)
  }
}

extension Status {
  /// The refusal of a Request that is not one.
  static let malformedRequest = Status(
    .invalidArgument, reason: "MALFORMED_REQUEST", "The request envelope is malformed")

  /// The refusal of a method that nobody serves.
  static func unimplemented(_ request: RequestEnvelope) -> Status {
    let service = String(decoding: request.service.prefix(200), as: UTF8.self)
    let method = String(decoding: request.method.prefix(200), as: UTF8.self)
    return Status(
      .unimplemented, reason: "UNKNOWN_METHOD", "The service \(service) or its method \(method) does not exist here")
  }
}
