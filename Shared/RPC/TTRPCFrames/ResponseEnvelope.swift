import ProtobufC
import TTRPC

/// `ttrpc.Response`, read in place: the payload is valid as long as the bytes.
package struct ResponseEnvelope {
  package private(set) var payload = UnsafeRawBufferPointer(start: nil, count: 0)
  /// `nil` when the call succeeded.
  package private(set) var failure: Status?

  /// Parses `body`.
  ///
  /// - Throws: when it is malformed; where only its status is, the call fails with INTERNAL.
  package init(_ body: UnsafeRawBufferPointer, in arena: Arena) throws(ProtobufError) {
    var fields = WireReader(body)
    while let field = try fields.next() {
      switch (field.number, field.content) {
      case (1, .delimited(let bytes)): failure = Self.failure(bytes, arena) ?? failure
      case (2, .delimited(let bytes)): payload = bytes
      case (1...2, _): throw .malformed
      default: break
      }
    }
  }

  private static func failure(_ bytes: UnsafeRawBufferPointer, _ arena: Arena) -> Status? {
    do {
      let status = try Status(wire: bytes, in: arena)
      return status.code == .ok ? nil : status
    } catch {
      return Status(.internal, "The server sent a malformed status")
    }
  }
}
