/// A Swift type with a corresponding PostgreSQL type, in PostgreSQL's binary format.
public protocol ColumnValue: ColumnElement {
  /// The type's object id, with which parameters are declared; 0 lets the server infer it from the statement.
  static var typeID: UInt32 { get }
  /// Whether a column of type `id` can be read as this type.
  static func reads(typeID id: UInt32) -> Bool
  /// Writes the value's bytes.
  func write(to buffer: inout ParameterBytes)
  /// Reads a value that is not null; `nil` when the bytes are invalid.
  static func read(_ bytes: UnsafeRawBufferPointer) -> Self?
}

/// The element of an array that is a parameter or a column: any ``ColumnValue`` (a PostgreSQL array), or bytes
/// (`bytea`).
public protocol ColumnElement: Sendable {
  /// The object id of the array's type.
  static var arrayTypeID: UInt32 { get }
  /// Writes the array's bytes.
  static func write(_ array: [Self], to buffer: inout ParameterBytes)
  /// Reads an array; `nil` when the bytes are invalid, or contain a null or more than one dimension.
  static func read(array bytes: UnsafeRawBufferPointer) -> [Self]?
}

extension ColumnValue {
  /// Whether a column of type `id` can be read as this: by default its own type alone.
  @inlinable public static func reads(typeID id: UInt32) -> Bool { id == typeID }

  /// Writes a one-dimensional array of elements that are not null.
  public static func write(_ array: [Self], to buffer: inout ParameterBytes) {
    buffer.append(Int32(array.isEmpty ? 0 : 1))
    buffer.append(Int32(0))
    buffer.append(UInt32(elementTypeID))
    guard !array.isEmpty else { return }
    buffer.append(Int32(array.count))
    buffer.append(Int32(1))
    for element in array {
      let place = buffer.reserveLength()
      element.write(to: &buffer)
      buffer.fillLength(at: place)
    }
  }

  /// Reads a one-dimensional array of elements that are not null.
  public static func read(array bytes: UnsafeRawBufferPointer) -> [Self]? {
    var rest = BinaryReader(bytes)
    guard let dimensions = rest.int32(), rest.int32() != nil, let element = rest.int32() else { return nil }
    guard reads(typeID: UInt32(bitPattern: element)) || typeID == 0 else { return nil }
    if dimensions == 0 { return [] }
    guard dimensions == 1, let count = rest.int32(), count >= 0, rest.int32() != nil else { return nil }
    var values: [Self] = []
    values.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let length = rest.int32(), length >= 0, let slice = rest.bytes(Int(length)), let value = read(slice) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// An array declares its elements' type, so that cannot be left to the server: texts are `text`.
  private static var elementTypeID: UInt32 { typeID == 0 ? PostgresType.text : typeID }
}

extension Array: ColumnElement where Element: ColumnElement {}

extension Array: ColumnValue where Element: ColumnElement {
  /// The array's own type.
  @inlinable public static var typeID: UInt32 { Element.arrayTypeID }
  /// PostgreSQL's nested arrays are matrices, which are not supported: only `bytea[]` is an array of arrays.
  public static var arrayTypeID: UInt32 { typeID == PostgresType.bytea ? PostgresType.byteaArray : 0 }
  @inlinable public func write(to buffer: inout ParameterBytes) { Element.write(self, to: &buffer) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> [Element]? { Element.read(array: bytes) }
}

/// The object ids of the types that are used here (`pg_type.dat`), which never change.
enum PostgresType {
  static let bytea: UInt32 = 17
  static let text: UInt32 = 25
  static let byteaArray: UInt32 = 1001
}

/// Reads big-endian integers and slices from a buffer, from its start on.
struct BinaryReader {
  private let buffer: UnsafeRawBufferPointer
  private var offset = 0

  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  mutating func int32() -> Int32? {
    bytes(4).map { Int32(bigEndian: $0.loadUnaligned(as: Int32.self)) }
  }

  mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, buffer.count - offset >= count else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count])
  }
}
