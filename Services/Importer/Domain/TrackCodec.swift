import Geography

/// A track as bytes, for columns and between processes: a count, then for each point a byte that says which values follow, and each value as
/// the difference to the one before, as a zigzag varint.
///
/// Times are whole milliseconds, positions 1e-7 degrees (1 cm), heights and distances centimetres, the others whole numbers; so nothing a
/// tracker measures is lost.
package enum TrackCodec {
  /// Points of the longest track, of files and providers alike: three days and a half of samples each second, ten times a second for eight
  /// hours.
  package static let maxPoints = 300_000

  package static func encode(_ track: Track) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(track.points.count * 16 + 10)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PointWriter.maxLength) { buffer in
      var writer = PointWriter(buffer)
      bytes += writer.count(track.points.count)
      for point in track.points { bytes += writer.point(point) }
    }
    return bytes
  }

  /// The track; `nil` for bytes that are none.
  package static func decode(_ bytes: [UInt8]) -> Track? { bytes.withUnsafeBytes { decode($0) } }

  /// The track; `nil` for bytes that are none.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> Track? {
    do throws(NoTrack) {
      var reader = PointReader(bytes)
      let count = try reader.count()
      var points: [TrackPoint] = []
      points.reserveCapacity(min(count, bytes.count))
      for _ in 0..<count { points.append(try reader.point()) }
      return reader.isAtEnd ? Track(points: points) : nil
    } catch { return nil }
  }
}

/// What the values of a point are multiplied with.
private enum Scale {
  static let seconds = 1e3
  static let degrees = 1e7
  static let metres = 1e2
  static let whole = 1.0
}

/// Bytes that are no track.
private struct NoTrack: Error {}

/// Writes the points of a track one by one into a buffer.
private struct PointWriter {
  /// Bytes of the longest point: the byte before it, and values of 64 bits.
  static let maxLength = 1 + 8 * 10

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var length = 0
  private var last = [8 of Int64](repeating: 0)

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  private var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[..<length]) }

  mutating func count(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    length = 0
    append(Int64(count))
    return written
  }

  mutating func point(_ point: TrackPoint) -> UnsafeBufferPointer<UInt8> {
    (buffer[0], length) = (0, 1)
    append(point.elapsedSeconds, 0, Scale.seconds)
    append(point.position?.latitude, 1, Scale.degrees)
    append(point.position?.longitude, 2, Scale.degrees)
    append(point.elevationMetres, 3, Scale.metres)
    append(point.heartRate, 4, Scale.whole)
    append(point.distanceMetres, 5, Scale.metres)
    append(point.cadence, 6, Scale.whole)
    append(point.powerWatts, 7, Scale.whole)
    return written
  }

  /// The value with this number, if it survives scaling; what no tracker measures is left out.
  @inline(__always)
  private mutating func append(_ value: Double?, _ number: Int, _ scale: Double) {
    guard let value, number == 0 || abs(value) < 1e9 else { return }
    if number > 0 { buffer[0] |= 1 << UInt8(number) }
    let scaled = Self.rounded(value * scale)
    append(scaled &- last[number])
    last[number] = scaled
  }

  /// As a zigzag varint.
  private mutating func append(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      buffer[length] = UInt8(truncatingIfNeeded: rest) | 0x80
      length += 1
      rest >>= 7
    }
    buffer[length] = UInt8(rest)
    length += 1
  }

  /// The nearest whole number, of two the one farther from 0; 0 where no integer holds it, as times of a decoded track are any numbers.
  ///
  /// The same as `rounded()`, which would be a call of the C library for each value.
  private static func rounded(_ value: Double) -> Int64 {
    guard value >= -0x1p63, value < 0x1p63 else { return 0 }
    let whole = Int64(value)
    let rest = value - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }
}

/// Reads the points of a track one by one.
private struct PointReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var last = [8 of Int64](repeating: 0)

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func count() throws(NoTrack) -> Int {
    let count = try integer()
    guard (0...Int64(TrackCodec.maxPoints)).contains(count) else { throw NoTrack() }
    return Int(count)
  }

  mutating func point() throws(NoTrack) -> TrackPoint {
    let present = try byte() | 1
    var point = TrackPoint(elapsedSeconds: try value(0, Scale.seconds, present) ?? 0)
    let (latitude, longitude) = (try value(1, Scale.degrees, present), try value(2, Scale.degrees, present))
    if let latitude, let longitude { point.position = GeoPoint(latitude: latitude, longitude: longitude) }
    point.elevationMetres = try value(3, Scale.metres, present)
    point.heartRate = try value(4, Scale.whole, present)
    point.distanceMetres = try value(5, Scale.metres, present)
    point.cadence = try value(6, Scale.whole, present)
    point.powerWatts = try value(7, Scale.whole, present)
    return point
  }

  /// The value with this number, `nil` if it is not present.
  @inline(__always)
  private mutating func value(_ number: Int, _ scale: Double, _ present: UInt8) throws(NoTrack) -> Double? {
    guard present & 1 << UInt8(number) != 0 else { return nil }
    last[number] &+= try integer()
    return Double(last[number]) / scale
  }

  private mutating func byte() throws(NoTrack) -> UInt8 {
    guard offset < bytes.count else { throw NoTrack() }
    offset += 1
    return bytes[offset - 1]
  }

  /// A zigzag varint of at most 64 bits.
  private mutating func integer() throws(NoTrack) -> Int64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while shift < 64 {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
      shift += 7
    }
    throw NoTrack()
  }
}
