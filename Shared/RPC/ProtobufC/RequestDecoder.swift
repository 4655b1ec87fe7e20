public import CProtobufC

/// Decodes what clients send: a request is closed, so a number that its enum has no name for is refused.
///
/// Responses and events are open, because an older client must be able to read those of a newer service.
/// One for each method, because the fields that are enums are looked up once.
public struct RequestDecoder<Request: ProtobufMessage>: Sendable {
  /// Whether the memory of a request is unrelated to its size on the wire.
  public let hasLists: Bool
  @usableFromInline let enums: EnumFields?

  public init() {
    hasLists = Request.hasLists
    enums = EnumFields(of: Request.cDescriptor)
  }

  /// See ``ProtobufMessage/decode(_:in:)``.
  ///
  /// - Throws: ``ProtobufError/unknownEnumValues(_:)`` besides.
  @inlinable
  public func decode(_ bytes: UnsafeRawBufferPointer, in arena: Arena) throws(ProtobufError) -> Request {
    guard let enums else { return try Request.decode(bytes, in: arena) }
    return try Request.decode(bytes, in: arena) { message throws(ProtobufError) in try enums.check(message) }
  }

  /// See ``ProtobufMessage/decode(_:in:holding:)``.
  ///
  /// - Throws: ``ProtobufError/unknownEnumValues(_:)`` besides.
  @inlinable
  public func decode(
    _ bytes: UnsafeRawBufferPointer, in arena: Arena, holding held: inout Int
  ) throws(ProtobufError) -> Request {
    try Request.decode(bytes, in: arena) { message throws(ProtobufError) in
      try enums?.check(message)
      held = HeldMemory.bytes(message, arena)
    }
  }

  /// The request with 0 in place of every number that its enum has no name for: for a caller that refuses the request
  /// nevertheless, by all that is wrong with it ([C-2]).
  ///
  /// - Parameters:
  ///   - held: as of ``ProtobufMessage/decode(_:in:holding:)``.
  ///   - unknown: set to those numbers.
  /// - Throws: ``ProtobufError/unknownEnumValues(_:)`` where there are too many to name.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, in arena: Arena, holding held: inout Int, unknown: inout [UnknownEnumValue]
  ) throws(ProtobufError) -> Request {
    try Request.decode(bytes, in: arena) { message throws(ProtobufError) in
      try enums?.clear(message, &unknown)
      held = HeldMemory.bytes(message, arena)
    }
  }
}
