/// Writes protobuf's wire format.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func delimited(_ value: some Collection<UInt8>) {
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func tag(_ number: Int32, _ wireType: UInt8) {
    varint(UInt64(number) << 3 | UInt64(wireType))
  }
}
