import GoogleRPC
import ProtobufC

extension Status {
  /// The status as `google.rpc.Status`.
  package var wire: GoogleRPC.Status {
    GoogleRPC.Status(
      code: code.rawValue, message: message, details: details.map { .init(typeURL: $0.typeURL, value: $0.value) })
  }

  /// Reads `google.rpc.Status`; a code that gRPC does not define counts as UNKNOWN.
  package init(wire: GoogleRPC.Status) {
    self.init(
      Code(rawValue: wire.code) ?? .unknown, wire.message,
      details: wire.details.map { StatusDetail(typeURL: $0.typeURL, value: $0.value) })
  }

  /// Decodes `google.rpc.Status`; OK where its code is.
  package init(wire bytes: UnsafeRawBufferPointer, in arena: Arena) throws(ProtobufError) {
    self.init(wire: try GoogleRPC.Status.decode(bytes, in: arena))
  }
}
