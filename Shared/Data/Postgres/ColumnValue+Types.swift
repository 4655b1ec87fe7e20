// Each of these meets a requirement of ColumnValue, whose comments hold for all of them.

extension FixedWidthInteger where Self: Sendable {
  @inlinable @inline(__always)
  static func readBigEndian(_ bytes: UnsafeRawBufferPointer) -> Self? {
    guard bytes.count == MemoryLayout<Self>.size else { return nil }
    return Self(bigEndian: bytes.loadUnaligned(as: Self.self))
  }
}

/// `int2`.
extension Int16: ColumnValue {
  @inlinable public static var typeID: UInt32 { 21 }
  @inlinable public static var arrayTypeID: UInt32 { 1005 }
  @inlinable public func write(to buffer: inout ParameterBytes) { buffer.append(self) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Int16? { readBigEndian(bytes) }
}

/// `int4`; reads `int2` too.
extension Int32: ColumnValue {
  @inlinable public static var typeID: UInt32 { 23 }
  @inlinable public static var arrayTypeID: UInt32 { 1007 }
  @inlinable public static func reads(typeID id: UInt32) -> Bool { id == typeID || id == Int16.typeID }
  @inlinable public func write(to buffer: inout ParameterBytes) { buffer.append(self) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    bytes.count == 4 ? readBigEndian(bytes) : Int16.read(bytes).map(Int32.init)
  }
}

/// `int8`; reads `int4` and `int2` too.
extension Int64: ColumnValue {
  @inlinable public static var typeID: UInt32 { 20 }
  @inlinable public static var arrayTypeID: UInt32 { 1016 }
  @inlinable public static func reads(typeID id: UInt32) -> Bool { id == typeID || Int32.reads(typeID: id) }
  @inlinable public func write(to buffer: inout ParameterBytes) { buffer.append(self) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    bytes.count == 8 ? readBigEndian(bytes) : Int32.read(bytes).map(Int64.init)
  }
}

/// `bool`.
extension Bool: ColumnValue {
  @inlinable public static var typeID: UInt32 { 16 }
  @inlinable public static var arrayTypeID: UInt32 { 1000 }
  @inlinable public func write(to buffer: inout ParameterBytes) { buffer.append(UInt8(self ? 1 : 0)) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    bytes.count == 1 ? bytes[0] != 0 : nil
  }
}

/// `float4`.
extension Float: ColumnValue {
  @inlinable public static var typeID: UInt32 { 700 }
  @inlinable public static var arrayTypeID: UInt32 { 1021 }
  @inlinable public func write(to buffer: inout ParameterBytes) { buffer.append(bitPattern) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Float? {
    UInt32.readBigEndian(bytes).map(Float.init(bitPattern:))
  }
}

/// `float8`; reads `float4` too.
extension Double: ColumnValue {
  @inlinable public static var typeID: UInt32 { 701 }
  @inlinable public static var arrayTypeID: UInt32 { 1022 }
  @inlinable public static func reads(typeID id: UInt32) -> Bool { id == typeID || id == Float.typeID }
  @inlinable public func write(to buffer: inout ParameterBytes) { buffer.append(bitPattern) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Double? {
    bytes.count == 8
      ? UInt64.readBigEndian(bytes).map(Double.init(bitPattern:)) : Float.read(bytes).map(Double.init)
  }
}

/// Any type with a text form: it is sent as text and the server infers the type, so enums, `json`, `jsonb`, `inet` and `citext` take it as a literal would be taken.
/// Read from the types whose binary form is their text, and from `jsonb`.
extension String: ColumnValue {
  @inlinable public static var typeID: UInt32 { 0 }
  @inlinable public static var arrayTypeID: UInt32 { 1009 }
  /// `numeric`, `uuid`, times and the like are not text in their binary format: cast them in the statement.
  public static func reads(typeID id: UInt32) -> Bool {
    // The object ids of enums and extensions' types are assigned by the server, from 16384 on.
    [25, 1043, 1042, 19, 18, 114, 3802, 142, 705].contains(id) || id >= 16384
  }
  public func write(to buffer: inout ParameterBytes) { buffer.append(text: self) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> String? {
    String(decoding: bytes, as: UTF8.self)
  }
}

/// `bytea`.
extension UInt8: ColumnElement {
  @inlinable public static var arrayTypeID: UInt32 { 17 }
  @inlinable public static func write(_ array: [UInt8], to buffer: inout ParameterBytes) { buffer.append(array) }
  @inlinable public static func read(array bytes: UnsafeRawBufferPointer) -> [UInt8]? { [UInt8](bytes) }
}

/// An enum of texts: stored as its raw value. The enum itself declares that it is a ``ColumnValue``.
extension ColumnValue where Self: RawRepresentable, RawValue == String {
  public static var typeID: UInt32 { String.typeID }
  public static var arrayTypeID: UInt32 { String.arrayTypeID }
  public static func reads(typeID id: UInt32) -> Bool { String.reads(typeID: id) }
  public func write(to buffer: inout ParameterBytes) { rawValue.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Self? { String.read(bytes).flatMap(Self.init(rawValue:)) }
}
