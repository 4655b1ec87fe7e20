import Geography

/// A track as bytes, for columns and between processes: a count, then for each point a byte that says which values follow, and each value as
/// the difference to the one before, as a zigzag varint.
///
/// Times are whole milliseconds, positions 1e-7 degrees (1 cm), heights and distances centimetres, the others whole numbers; so nothing a
/// tracker measures is lost.
package enum TrackCodec {
  /// Points of the longest track: a day and a half of samples each second, ten times a second for four hours.
  package static let maxPoints = 150_000

  private static let scales: [Double] = [1e3, 1e7, 1e7, 1e2, 1, 1e2, 1, 1]
  /// Bits of the byte before a point, by the index of the value.
  private static let position: UInt8 = 1

  package static func encode(_ track: Track) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(track.points.count * 12 + 4)
    var last = [Int64](repeating: 0, count: scales.count)
    append(Int64(track.points.count), to: &bytes)
    for point in track.points {
      let values: [Double?] = [
        point.elapsedSeconds, point.position?.latitude, point.position?.longitude, point.elevationMetres,
        point.heartRate, point.distanceMetres, point.cadence, point.powerWatts,
      ]
      var present: UInt8 = 0
      for index in 1..<values.count where values[index].map(isStorable) == true { present |= 1 << UInt8(index) }
      bytes.append(present)
      for (index, value) in values.enumerated() where index == 0 || present & 1 << UInt8(index) != 0 {
        // Times of a decoded track are any numbers, also such that no integer holds once they are rounded.
        let number = Int64(exactly: ((value ?? 0) * scales[index]).rounded()) ?? 0
        append(number &- last[index], to: &bytes)
        last[index] = number
      }
    }
    return bytes
  }

  /// The track; `nil` for bytes that are none.
  package static func decode(_ bytes: [UInt8]) -> Track? { bytes.withUnsafeBytes { decode($0) } }

  /// The track; `nil` for bytes that are none.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> Track? {
    var reader = VarintReader(bytes)
    guard let count = reader.next(), (0...Int64(maxPoints)).contains(count) else { return nil }
    var points: [TrackPoint] = []
    points.reserveCapacity(Int(min(count, Int64(bytes.count))))
    var last = [Int64](repeating: 0, count: scales.count)
    for _ in 0..<count {
      guard let present = reader.byte() else { return nil }
      var values = [Double?](repeating: nil, count: scales.count)
      for index in 0..<scales.count where index == 0 || present & 1 << UInt8(index) != 0 {
        guard let difference = reader.next() else { return nil }
        last[index] &+= difference
        values[index] = Double(last[index]) / scales[index]
      }
      var point = TrackPoint(
        elapsedSeconds: values[0] ?? 0, elevationMetres: values[3], heartRate: values[4], distanceMetres: values[5],
        cadence: values[6], powerWatts: values[7])
      if let latitude = values[1], let longitude = values[2] {
        point.position = GeoPoint(latitude: latitude, longitude: longitude)
      }
      points.append(point)
    }
    guard reader.isAtEnd else { return nil }
    return Track(points: points)
  }

  /// Whether a value survives scaling; what no tracker measures is left out.
  private static func isStorable(_ value: Double) -> Bool { value.isFinite && abs(value) < 1e9 }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads zigzag varints of at most 64 bits.
struct VarintReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func next() -> Int64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while let byte = byte() {
      guard shift < 64 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
      shift += 7
    }
    return nil
  }
}
