import FileContents

/// What a gzip file says at its end of its content (RFC 1952, section 2.3.1), which libarchive does not compare.
struct GzipTrailer {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  private var checksum = UInt32.max
  private var length = 0
  /// The last bytes of the file so far.
  private var last: [UInt8] = []

  private static let size = 8

  /// Notes bytes of the file.
  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    last = Array((last + bytes.suffix(Self.size)).suffix(Self.size))
  }

  /// Notes bytes of the content.
  mutating func unpacked(_ bytes: UnsafeRawBufferPointer) {
    length += bytes.count
    for byte in bytes { checksum = checksum >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] }
  }

  /// Whether the content is another than the file says. Of several files one after the other only the last one is known, so these are
  /// believed.
  var isWrong: Bool {
    guard last.count == Self.size else { return true }
    let stated = Self.number(last.suffix(4))
    let unpacked = UInt32(truncatingIfNeeded: length)
    return stated > unpacked || (stated == unpacked && Self.number(last.prefix(4)) != ~checksum)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
