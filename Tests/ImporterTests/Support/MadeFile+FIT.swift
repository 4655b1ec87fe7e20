extension MadeFile {
  /// A FIT file of a run with all that the protocol has: both byte orders, arrays, texts, real numbers, a developer's field, compressed
  /// timestamps and invalid values.
  ///
  /// - Parameter power: of the developer's field `Power`, which stands for the profile's; `nil` for a file without it.
  static func fit(points: Int = 120, start: UInt32 = 1_119_000_000, power: Float? = 251.5) -> [UInt8] {
    var file = FITBytes()
    // file_id: type, manufacturer, serial number, time, and a product's name.
    file.define(0, message: 0, [(0, 1, 0x00), (1, 2, 0x84), (3, 4, 0x8C), (4, 4, 0x86), (8, 12, 0x07)])
    file.data(0, [4] + le(UInt16(1)) + le(UInt32(0)) + le(start) + Array("Test watch\0\0".utf8))
    if let power {
      file.define(1, message: 207, [(1, 16, 0x0D), (3, 1, 0x02)])
      file.data(1, (0..<16).map { UInt8($0) } + [0])
      file.define(
        2, message: 206,
        [(0, 1, 0x02), (1, 1, 0x02), (2, 1, 0x02), (3, 8, 0x07), (8, 6, 0x07), (14, 2, 0x84), (15, 1, 2)])
      file.data(2, [0, 0, 0x88] + Array("Power\0\0\0".utf8) + Array("Watts\0".utf8) + le(UInt16(20)) + [7])
      // record, big-endian: time, position, altitude, heart rate, distance, an array of an unknown field, and the developer's.
      file.define(
        3, message: 20,
        [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (2, 2, 0x84), (3, 1, 2), (5, 4, 0x86), (200, 4, 0x84)],
        developer: [(0, 4, 0)], bigEndian: true)
      for index in 0..<points / 2 { file.data(3, record(index, start) + be(power.bitPattern + UInt32(index))) }
    }
    // The other half with compressed timestamps: heart rate, cadence, and an invalid altitude.
    file.define(1, message: 20, [(3, 1, 0x02), (4, 1, 0x02), (78, 4, 0x86)])
    for index in points / 2..<points {
      file.compressed(1, time: start + UInt32(index), [UInt8(120 + index % 20), 85] + le(UInt32.max))
    }
    // session: time, start, elapsed, timer, distance, sport, and a field that the model does not have.
    file.define(
      4, message: 18,
      [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (8, 4, 0x86), (9, 4, 0x86), (5, 1, 0), (24, 1, 2)])
    let length = UInt32(points - 1)
    file.data(
      4, le(start + length) + le(start) + le(length * 1_000) + le(length * 1_000) + le(length * 300) + [1] + [34])
    return file.whole
  }

  /// A FIT file of a triathlon: a swim without positions, a change, and a ride, one after the other; the sessions in this order.
  static func triathlon(sessions order: [Int] = [0, 1, 2], start: UInt32 = 1_119_000_000) -> [UInt8] {
    let legs: [(sport: UInt8, from: UInt32, seconds: UInt32)] = [(5, 0, 900), (3, 900, 120), (2, 1_020, 1_800)]
    var file = FITBytes()
    file.define(0, message: 20, [(253, 4, 0x86), (3, 1, 0x02)])
    file.define(1, message: 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (3, 1, 0x02)])
    for second in stride(from: UInt32(0), through: 2_820, by: 10) {
      let (time, beats) = (le(start + second), [UInt8(110 + second % 50)])
      guard second > 1_020 else {
        file.data(0, time + beats)
        continue
      }
      file.data(1, time + le(Int32(614_000_000 + second * 800)) + le(Int32(-1_430_000)) + beats)
    }
    file.define(2, message: 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0)])
    for index in order {
      let leg = legs[index]
      file.data(
        2, le(start + leg.from + leg.seconds) + le(start + leg.from) + le(leg.seconds * 1_000) + [leg.sport])
    }
    return file.whole
  }

  private static func record(_ index: Int, _ start: UInt32) -> [UInt8] {
    let latitude = Int32(614_000_000 + index * 320)
    return be(start + UInt32(index)) + be(UInt32(bitPattern: latitude)) + be(UInt32(bitPattern: -1_430_000))
      + be(UInt16((500 + 20 + index % 7) * 5)) + [UInt8(120 + index % 20)] + be(UInt32(index * 300))
      + be(UInt16(truncatingIfNeeded: index)) + be(UInt16.max)
  }

  private static func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func be<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

/// Writes FIT files.
struct FITBytes {
  private(set) var records: [UInt8] = []

  mutating func define(
    _ local: UInt8, message: UInt16, _ fields: [(UInt8, UInt8, UInt8)], developer: [(UInt8, UInt8, UInt8)] = [],
    bigEndian: Bool = false
  ) {
    let number = [UInt8(message & 0xFF), UInt8(message >> 8)]
    records +=
      [0x40 | (developer.isEmpty ? 0 : 0x20) | local, 0, bigEndian ? 1 : 0] + (bigEndian ? number.reversed() : number)
    for list in [fields] + (developer.isEmpty ? [] : [developer]) {
      records += [UInt8(list.count)] + list.flatMap { [$0.0, $0.1, $0.2] }
    }
  }

  mutating func data(_ local: UInt8, _ content: [UInt8]) { records += [local] + content }

  /// With a header of five bits of the time.
  mutating func compressed(_ local: UInt8, time: UInt32, _ content: [UInt8]) {
    records += [0x80 | local << 5 | UInt8(time & 0x1F)] + content
  }

  /// Header, records and checksum.
  var whole: [UInt8] {
    let size = withUnsafeBytes(of: UInt32(records.count).littleEndian) { Array($0) }
    let head: [UInt8] = [14, 0x20, 0x54, 0x08] + size + Array(".FIT".utf8)
    let file = head + Self.checksum(head) + records
    return file + Self.checksum(file)
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var value: UInt16 = 0
    for byte in bytes {
      value ^= UInt16(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
    }
    return [UInt8(value & 0xFF), UInt8(value >> 8)]
  }
}
