/// Reads FIT files by the public protocol: headers of 12 and 14 bytes, definitions with developer fields, data messages with normal and
/// compressed headers, checksums, and files that are several one after the other.
///
/// Nothing is believed of the file: every length is checked against the bytes that there are, so any bytes are read or refused.
package enum FITReader {
  /// Calls `visit` with each whole message in order, until the file ends or is broken.
  ///
  /// - Throws: the fault; all messages before it were visited.
  package static func read(
    _ file: UnsafeRawBufferPointer, _ visit: (FITMessage) -> Void
  ) throws(FITFault) {
    var offset = 0
    repeat {
      offset = try readOne(file, from: offset, visit)
    } while offset < file.count
  }

  /// Whether a file begins like a FIT file.
  package static func isFIT(_ start: some Collection<UInt8>) -> Bool {
    let start = Array(start.prefix(12))
    return start.count == 12 && start[8...] == [0x2E, 0x46, 0x49, 0x54]
  }

  /// Reads one of the files that follow each other; returns where the next begins.
  private static func readOne(
    _ file: UnsafeRawBufferPointer, from start: Int, _ visit: (FITMessage) -> Void
  ) throws(FITFault) -> Int {
    let header = try Header(file, at: start)
    var section = Section(file: file, end: file.count, offset: header.start)
    let stated = min(header.start + header.dataSize, file.count)
    while section.offset < stated { try section.next(visit) }
    // The last message may be longer than the header says (a length that was not updated): it is whole all the same.
    let end = max(header.start + header.dataSize, section.offset)
    guard end + 2 <= file.count else { throw FITFault(kind: .truncated, offset: file.count) }
    let checksum = file.loadUnaligned(fromByteOffset: end, as: UInt16.self).littleEndian
    guard checksum == 0 || checksum == Checksum.of(file[start..<end]) else {
      throw FITFault(kind: .checksum, offset: end)
    }
    return end + 2
  }
}

/// The header of a file.
private struct Header {
  /// Where the records begin.
  let start: Int
  /// Bytes of the records, as the header says.
  let dataSize: Int

  init(_ file: UnsafeRawBufferPointer, at offset: Int) throws(FITFault) {
    guard file.count - offset >= 12 else { throw FITFault(kind: offset == 0 ? .header : .truncated, offset: offset) }
    let size = Int(file[offset])
    guard size >= 12, FITReader.isFIT(file[offset..<offset + 12]) else {
      throw FITFault(kind: .header, offset: offset)
    }
    guard file.count - offset >= size else { throw FITFault(kind: .truncated, offset: file.count) }
    start = offset + size
    dataSize = Int(file.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self).littleEndian)
  }
}

/// The records of one file.
private struct Section {
  let file: UnsafeRawBufferPointer
  let end: Int
  var offset: Int
  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  /// The last full timestamp, which compressed headers count from.
  private var timestamp: UInt32 = 0

  init(file: UnsafeRawBufferPointer, end: Int, offset: Int) {
    (self.file, self.end, self.offset) = (file, end, offset)
  }

  /// Number of the field `timestamp` in every message.
  private static let timestampField: UInt8 = 253

  mutating func next(_ visit: (FITMessage) -> Void) throws(FITFault) {
    let header = file[offset]
    if header & 0x80 != 0 {
      try data(local: Int(header >> 5 & 0x3), compressed: UInt32(header & 0x1F), visit)
    } else if header & 0x40 != 0 {
      try define(header)
    } else {
      try data(local: Int(header & 0xF), compressed: nil, visit)
    }
  }

  private mutating func data(
    local: Int, compressed: UInt32?, _ visit: (FITMessage) -> Void
  ) throws(FITFault) {
    guard let definition = definitions[local] else {
      throw FITFault(kind: .undefinedMessage(local: local), offset: offset)
    }
    let start = offset + 1
    guard end - start >= definition.size else { throw FITFault(kind: .truncated, offset: end) }
    var moment: UInt32?
    if let compressed {
      // Five bits of seconds, which roll over every 32 (protocol, "Compressed Timestamp Header").
      timestamp = timestamp &+ (compressed &- (timestamp & 0x1F)) & 0x1F
      moment = timestamp
    }
    let message = FITMessage(
      definition: definition, headerTimestamp: moment, offset: offset,
      content: UnsafeRawBufferPointer(rebasing: file[start..<start + definition.size]))
    if let full = message.integer(Self.timestampField) { timestamp = UInt32(truncatingIfNeeded: full) }
    offset = start + definition.size
    visit(message)
  }

  private mutating func define(_ header: UInt8) throws(FITFault) {
    let start = offset
    var cursor = offset + 1
    func byte() throws(FITFault) -> UInt8 {
      guard cursor < end else { throw FITFault(kind: .truncated, offset: end) }
      cursor += 1
      return file[cursor - 1]
    }
    _ = try byte()
    let isBigEndian = try byte() == 1
    let (first, second) = (UInt16(try byte()), UInt16(try byte()))
    let message = isBigEndian ? first << 8 | second : second << 8 | first
    var (fields, size): ([FITDefinition.Field], Int) = ([], 0)
    for _ in 0..<(try byte()) {
      let (number, length, base) = (try byte(), Int(try byte()), try byte())
      // Some writers leave the flag of multi-byte types out; a type that is unknown is read as bytes.
      let type = FITType(rawValue: base) ?? FITType(rawValue: base | 0x80) ?? .byte
      // A length that is no multiple of the type's is read as bytes (misaligned fields of some devices).
      fields.append(
        .init(number: number, size: length, type: length % type.size == 0 ? type : .byte, offset: size))
      size += length
    }
    var developerFields: [FITDefinition.DeveloperField] = []
    if header & 0x20 != 0 {
      for _ in 0..<(try byte()) {
        let (number, length, developer) = (try byte(), Int(try byte()), try byte())
        developerFields.append(.init(number: number, developer: developer, size: length, offset: size))
        size += length
      }
    }
    guard fields.count < 255 else { throw FITFault(kind: .definition, offset: start) }
    definitions[Int(header & 0xF)] = FITDefinition(
      message: message, isBigEndian: isBigEndian, fields: fields, developerFields: developerFields, size: size)
    offset = cursor
  }
}

/// The checksum of the protocol, CRC-16, eight bytes at a time: what each adds to the result does not depend on the others.
enum Checksum {
  /// For each number of bytes that follow, 0 to 7, what a byte adds.
  private static let tables: [UInt16] = {
    func shifted(_ value: UInt16) -> UInt16 {
      (0..<8).reduce(value) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
    }
    var tables = (0..<256).map { shifted(UInt16($0)) }
    for index in 0..<7 * 256 { tables.append(tables[index] >> 8 ^ tables[Int(tables[index] & 0xFF)]) }
    return tables
  }()

  static func of(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt16 {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    return tables.withUnsafeBufferPointer { tables in
      var (value, offset): (UInt16, Int) = (0, 0)
      while offset + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian ^ UInt64(value)
        value = 0
        for place in 0..<8 { value ^= tables[(7 - place) << 8 | Int(word &>> (8 * place) & 0xFF)] }
        offset += 8
      }
      for byte in bytes[offset...] { value = value >> 8 ^ tables[Int((value ^ UInt16(byte)) & 0xFF)] }
      return value
    }
  }
}
