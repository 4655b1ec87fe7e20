// Each of these meets a requirement of ColumnValue, whose comments hold for all of them.

public import Identifiers

/// `uuid`.
extension UUID7: ColumnValue {
  @inlinable public static var typeID: UInt32 { 2950 }
  @inlinable public static var arrayTypeID: UInt32 { 2951 }

  @inlinable public func write(to buffer: inout ParameterBytes) {
    buffer.append(high)
    buffer.append(low)
  }

  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> UUID7? {
    bytes.count == 16 ? UUID7(bytes: bytes) : nil
  }
}

/// `uuid`.
extension Identifier: ColumnValue, ColumnElement {
  @inlinable public static var typeID: UInt32 { UUID7.typeID }
  @inlinable public static var arrayTypeID: UInt32 { UUID7.arrayTypeID }
  @inlinable public func write(to buffer: inout ParameterBytes) { uuid.write(to: &buffer) }
  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Identifier? {
    UUID7.read(bytes).map { Identifier($0) }
  }
}

/// `timestamptz`, which has the same precision. Its `infinity` is not an instant and cannot be read.
extension Instant: ColumnValue {
  @inlinable public static var typeID: UInt32 { 1184 }
  @inlinable public static var arrayTypeID: UInt32 { 1185 }
  /// PostgreSQL counts from 2000-01-01T00:00:00Z.
  @usableFromInline static var postgresEpoch: Int64 { 946_684_800_000_000 }
  /// 4714-11-24 BC, the earliest that PostgreSQL can store.
  @usableFromInline static var earliest: Int64 { -210_866_803_200_000_000 }

  @inlinable public func write(to buffer: inout ParameterBytes) {
    if microseconds < Self.earliest { buffer.refuse("a time is out of PostgreSQL's range") }
    buffer.append(microseconds.subtractingReportingOverflow(Self.postgresEpoch).partialValue)
  }

  @inlinable public static func read(_ bytes: UnsafeRawBufferPointer) -> Instant? {
    guard let moved = Int64.readBigEndian(bytes) else { return nil }
    // The extremes stand for infinity.
    let (microseconds, overflow) = moved.addingReportingOverflow(postgresEpoch)
    return overflow || moved == .min ? nil : Instant(microseconds: microseconds)
  }
}

/// `date`. Its `infinity` is not a day and cannot be read.
extension CivilDate: ColumnValue {
  @inlinable public static var typeID: UInt32 { 1082 }
  @inlinable public static var arrayTypeID: UInt32 { 1182 }
  /// PostgreSQL counts from 2000-01-01.
  private static let postgresEpoch = 10_957

  public func write(to buffer: inout ParameterBytes) {
    guard let days = Int32(exactly: daysSince1970 - Self.postgresEpoch) else {
      buffer.refuse("a date is out of PostgreSQL's range")
      return buffer.append(Int32(0))
    }
    buffer.append(days)
  }

  public static func read(_ bytes: UnsafeRawBufferPointer) -> CivilDate? {
    guard let days = Int32.readBigEndian(bytes), days != .max, days != .min else { return nil }
    return CivilDate(daysSince1970: Int(days) + postgresEpoch)
  }
}

/// `int8`, the 13 digits; a stored one was checked before.
extension ISBN: ColumnValue {
  @inlinable public static var typeID: UInt32 { Int64.typeID }
  @inlinable public static var arrayTypeID: UInt32 { Int64.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { number.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> ISBN? { Int64.read(bytes).map { ISBN(stored: $0) } }
}
