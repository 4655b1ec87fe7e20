/// A message of a stream with its flags: one byte, then the length in four, then the bytes. Connect's streams, gRPC and gRPC-Web share it.
struct Envelope: Equatable {
  static let headerSize = 5
  static let compressed: UInt8 = 1
  /// Connect: the last envelope of an answer.
  static let endOfStream: UInt8 = 2
  /// gRPC-Web: the trailers.
  static let trailers: UInt8 = 0x80

  let flags: UInt8
  let bytes: [UInt8]

  /// Appends an envelope.
  static func append(_ bytes: [UInt8], flags: UInt8, to out: inout [UInt8]) {
    out.reserveCapacity(out.count + headerSize + bytes.count)
    out.append(flags)
    for shift in [24, 16, 8, 0] { out.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
    out.append(contentsOf: bytes)
  }
}

/// Takes envelopes out of bytes that arrive in any pieces.
struct EnvelopeReader {
  private var waiting: [UInt8] = []
  private var at = 0
  private let limit: Int

  /// - Parameter limit: bytes of the longest message.
  init(limit: Int) { self.limit = limit }

  /// An envelope that is longer than the limit, by its own header.
  struct TooLarge: Error { let length: Int }

  /// Whether a part of an envelope waits for the rest.
  var hasPart: Bool { at < waiting.count }

  mutating func append(_ bytes: some Collection<UInt8>) { waiting.append(contentsOf: bytes) }

  /// The next whole envelope; `nil` while it has not arrived. One that announces more than the limit is refused by its
  /// header, before its bytes are kept.
  mutating func next() throws(TooLarge) -> Envelope? {
    guard waiting.count - at >= Envelope.headerSize else { return compacted() }
    let length = waiting[(at + 1)..<(at + 5)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else { throw TooLarge(length: length) }
    let start = at + Envelope.headerSize
    guard waiting.count - start >= length else { return compacted() }
    let envelope = Envelope(flags: waiting[at], bytes: Array(waiting[start..<(start + length)]))
    at = start + length
    return envelope
  }

  private mutating func compacted() -> Envelope? {
    if at > 0 {
      waiting.removeFirst(at)
      at = 0
    }
    return nil
  }
}

/// Takes base64 apart that arrives in any pieces, each of which may end with padding: the body of gRPC-Web in text.
struct Base64Stream {
  private var group: UInt32 = 0
  private var count = 0
  private var padding = 0

  /// A byte that base64 does not have.
  struct Malformed: Error {}

  /// Whether a group of four is not complete.
  var hasPart: Bool { count > 0 }

  mutating func decode(_ text: some Collection<UInt8>) throws(Malformed) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.count * 3 / 4 + 3)
    for byte in text {
      let value: UInt32
      switch byte {
      case 0x41...0x5A: value = UInt32(byte) - 0x41
      case 0x61...0x7A: value = UInt32(byte) - 0x61 + 26
      case 0x30...0x39: value = UInt32(byte) - 0x30 + 52
      case 0x2B, 0x2D: value = 62
      case 0x2F, 0x5F: value = 63
      case 0x3D:
        guard count >= 2 else { throw Malformed() }
        padding += 1
        value = 0
      default: throw Malformed()
      }
      if padding > 0, byte != 0x3D { throw Malformed() }
      group = group << 6 | value
      count += 1
      guard count == 4 else { continue }
      for index in 0..<(3 - padding) { out.append(UInt8(truncatingIfNeeded: group >> (16 - UInt32(index) * 8))) }
      (group, count, padding) = (0, 0, 0)
    }
    return out
  }
}
