/// The values of a statement's parameters, in the order of `$1`, `$2`, ….
///
/// One buffer holds them all and is reused for every statement of a connection.
public struct Parameters: ~Copyable {
  struct Field {
    let typeID: UInt32
    /// Where the value starts in the buffer; -1 for null.
    let offset: Int
    let length: Int
    let isBinary: Bool
  }

  @usableFromInline var buffer = ParameterBytes()
  private(set) var fields: [Field] = []

  init() {}

  /// Appends the next parameter.
  @inlinable public mutating func append<Value: ColumnValue>(_ value: Value) {
    let start = buffer.bytes.count
    value.write(to: &buffer)
    finish(Value.typeID, start)
  }

  /// Appends the next parameter; `nil` is null.
  @inlinable public mutating func append<Value: ColumnValue>(_ value: Value?) {
    if let value { append(value) } else { appendNull(Value.typeID) }
  }

  @usableFromInline mutating func finish(_ typeID: UInt32, _ start: Int) {
    let length = buffer.bytes.count - start
    // libpq ends a parameter in text format at its first NUL.
    if typeID == 0 { buffer.append(UInt8(0)) }
    fields.append(Field(typeID: typeID, offset: start, length: length, isBinary: typeID != 0))
    if let refusal = buffer.refusal, failure == nil {
      failure = PostgresError(kind: .parameter, sqlState: "22021", message: "parameter $\(fields.count): \(refusal)")
    }
  }

  @usableFromInline mutating func appendNull(_ typeID: UInt32) {
    fields.append(Field(typeID: typeID, offset: -1, length: 0, isBinary: typeID != 0))
  }

  /// Why the parameters cannot be sent.
  private(set) var failure: PostgresError?

  /// An address for parameters without any bytes: nothing is read there, but libpq takes a null pointer for null.
  ///
  /// `nonisolated(unsafe)`: the address never changes, what it points to is neither read nor written, and it is never
  /// freed.
  private nonisolated(unsafe) static let nowhere = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  /// Calls `body` with the bytes and the place of each parameter in them.
  func withFields<R>(_ body: (UnsafePointer<CChar>, [Field]) -> R) -> R {
    buffer.bytes.withUnsafeBytes { bytes in
      // An empty array has no address; nothing is read from the stand-in, because every length is zero then.
      body((bytes.baseAddress ?? Self.nowhere).assumingMemoryBound(to: CChar.self), fields)
    }
  }

  mutating func removeAll() {
    buffer.bytes.removeAll(keepingCapacity: true)
    buffer.refusal = nil
    fields.removeAll(keepingCapacity: true)
    failure = nil
  }
}

/// Bytes of parameters in network order.
public struct ParameterBytes: ~Copyable {
  @usableFromInline var bytes: [UInt8] = []
  var refusal: String?

  init() { bytes.reserveCapacity(256) }

  /// Appends an integer in network order.
  @inlinable public mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable public mutating func append(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  @inlinable public mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
  }

  /// Appends a text in UTF-8; one with a NUL, which PostgreSQL cannot store, is refused.
  public mutating func append(text: String) {
    let start = bytes.count
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
    if bytes[start...].contains(0) { refuse("a text holds a NUL") }
  }

  /// Prevents the statement from being sent; its caller gets a ``PostgresError`` of kind `parameter` with this reason.
  public mutating func refuse(_ reason: String) {
    if refusal == nil { refusal = reason }
  }

  mutating func reserveLength() -> Int {
    append(Int32(0))
    return bytes.count
  }

  mutating func fillLength(at end: Int) {
    let length = Int32(bytes.count - end).bigEndian
    withUnsafeBytes(of: length) { source in
      for place in 0..<4 { bytes[end - 4 + place] = source[place] }
    }
  }
}
