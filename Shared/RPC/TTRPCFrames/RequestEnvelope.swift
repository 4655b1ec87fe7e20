import ProtobufC
import TTRPC

/// `ttrpc.Request`, read in place: the pointers are valid as long as the bytes.
@usableFromInline
package struct RequestEnvelope {
  @usableFromInline package var service = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline package var method = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline package var payload = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline package var timeoutNanoseconds: Int64 = 0
  @usableFromInline package var metadataPairs = 0
  /// Bytes of all names and values.
  @usableFromInline package var metadataBytes = 0
  @usableFromInline let body: UnsafeRawBufferPointer

  @inlinable static var metadataField: UInt32 { 5 }

  /// Parses `body`; `nil` when it is malformed.
  @inlinable
  package init?(_ body: UnsafeRawBufferPointer) {
    self.body = body
    do throws(ProtobufError) {
      var fields = WireReader(body)
      while let field = try fields.next() { try take(field) }
    } catch {
      return nil
    }
  }

  @inlinable
  mutating func take(_ field: WireReader.Field) throws(ProtobufError) {
    switch (field.number, field.content) {
    case (1, .delimited(let bytes)): service = bytes
    case (2, .delimited(let bytes)): method = bytes
    case (3, .delimited(let bytes)): payload = bytes
    case (4, .varint(let value)): timeoutNanoseconds = Int64(bitPattern: value)
    case (Self.metadataField, .delimited(let bytes)):
      let (name, value) = try Self.pair(bytes)
      metadataPairs += 1
      metadataBytes += name.count + value.count
    // A known field with another wire type.
    case (1...Self.metadataField, _): throw .malformed
    default: break
    }
  }

  /// The name and the value of `ttrpc.KeyValue`.
  @inlinable
  static func pair(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ProtobufError) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    var fields = WireReader(bytes)
    var name = UnsafeRawBufferPointer(start: nil, count: 0)
    var value = name
    while let field = try fields.next() {
      switch (field.number, field.content) {
      case (1, .delimited(let bytes)): name = bytes
      case (2, .delimited(let bytes)): value = bytes
      case (1...2, _): throw .malformed
      default: break
      }
    }
    return (name, value)
  }

  /// Whether service and method are UTF-8, as required; the names of a known method are, so only unknown names need the
  /// check.
  package var namesAreText: Bool {
    String(validating: service, as: UTF8.self) != nil && String(validating: method, as: UTF8.self) != nil
  }

  /// The names in a form that is safe for a log line, whatever the client sent.
  package var shortName: String {
    "\(String(decoding: service.prefix(100), as: UTF8.self))/\(String(decoding: method.prefix(100), as: UTF8.self))"
  }

  /// The metadata, copied.
  package var metadata: Metadata {
    guard metadataPairs > 0 else { return Metadata() }
    return Metadata(received: ReceivedPairs(count: metadataPairs, bytes: metadataBytes, writePairs))
  }

  private func writePairs(_ pairs: inout ReceivedPairs.Writer) {
    do throws(ProtobufError) {
      var fields = WireReader(body)
      while let field = try fields.next() {
        guard field.number == Self.metadataField, case .delimited(let bytes) = field.content else { continue }
        let (name, value) = try Self.pair(bytes)
        pairs.append(name, value)
      }
    } catch {
      preconditionFailure("what was read once is malformed the second time: \(error)")
    }
  }
}

extension Status {
  /// The refusal of a Request that is malformed.
  package static let malformedRequest = Status(
    .invalidArgument, reason: ServerLimit.malformedRequest.rawValue, "The request envelope is malformed")

  /// The refusal of an unknown method.
  package static func unimplemented(_ request: RequestEnvelope) -> Status {
    let service = String(decoding: request.service.prefix(200), as: UTF8.self)
    let method = String(decoding: request.method.prefix(200), as: UTF8.self)
    return Status(
      .unimplemented, reason: ServerLimit.unknownMethod.rawValue,
      "The service \(service) or its method \(method) does not exist here")
  }
}
