/// One message, or a part of a long one, as a bus sends it.
///
/// Bytes: version and kind (1), publisher (8), number (8), part (2), parts (2), all big-endian, then the payload.
/// Numbers of one publisher rise by one from frame to frame. So a receiver recognises a repetition, and no two frames
/// of a transaction are equal, of which PostgreSQL would deliver only one.
struct LiveFrame: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    case payload = 0x10
    case gap = 0x11
  }

  static let headerBytes = 21

  var kind: Kind
  /// The number of the publishing process's bus.
  var publisher: UInt64
  var number: UInt64
  /// The index of the part, from 0.
  var part: UInt16 = 0
  var parts: UInt16 = 1
  var body: ArraySlice<UInt8> = []

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerBytes + body.count)
    bytes.append(kind.rawValue)
    for value in [publisher, number] { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
    for value in [part, parts] { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
    bytes.append(contentsOf: body)
    return bytes
  }
}

extension LiveFrame {
  /// Decodes ``bytes``; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerBytes, let kind = Kind(rawValue: bytes[0]) else { return nil }
    func integer<Integer: FixedWidthInteger>(at offset: Int, _ type: Integer.Type) -> Integer {
      bytes[offset..<offset + MemoryLayout<Integer>.size].reduce(0) { $0 << 8 | Integer($1) }
    }
    let part = integer(at: 17, UInt16.self)
    let parts = integer(at: 19, UInt16.self)
    guard part < parts else { return nil }
    self.init(
      kind: kind, publisher: integer(at: 1, UInt64.self), number: integer(at: 9, UInt64.self), part: part, parts: parts,
      body: bytes[Self.headerBytes...])
  }
}

/// Reassembles the frames of one channel, each of them once.
struct LiveArrivals {
  /// The result of a frame for the channel's subscribers.
  enum Outcome: Hashable {
    case nothing
    case payload([UInt8])
    case gap
  }

  private struct Publisher {
    var lastNumber: UInt64
    var unfinished: [UInt8] = []
    var nextPart: UInt16 = 0
  }

  /// Publishers whose numbers are remembered. When there are more all are forgotten: a repetition just then would be
  /// delivered twice.
  private static let maxPublishers = 1_024

  private var publishers: [UInt64: Publisher] = [:]

  /// How many publishers' numbers are remembered.
  var rememberedPublishers: Int { publishers.count }

  mutating func take(_ frame: LiveFrame) -> Outcome {
    var publisher = publishers[frame.publisher] ?? Publisher(lastNumber: 0)
    // Numbers begin with 1.
    guard frame.number > publisher.lastNumber else { return .nothing }
    publisher.lastNumber = frame.number
    defer {
      if publishers.count >= Self.maxPublishers, publishers[frame.publisher] == nil { publishers.removeAll() }
      publishers[frame.publisher] = publisher
    }
    if frame.kind == .gap { return .gap }
    if frame.parts == 1 { return .payload(Array(frame.body)) }
    if frame.part == 0 {
      publisher.unfinished = []
      publisher.nextPart = 0
    }
    // The first parts were missed, or it is longer than anything that is sent.
    guard frame.part == publisher.nextPart,
      publisher.unfinished.count + frame.body.count <= LiveLimits.payloadBytes
    else {
      publisher.unfinished = []
      publisher.nextPart = 0
      return .gap
    }
    publisher.unfinished.append(contentsOf: frame.body)
    publisher.nextPart += 1
    guard publisher.nextPart == frame.parts else { return .nothing }
    defer {
      publisher.unfinished = []
      publisher.nextPart = 0
    }
    return .payload(publisher.unfinished)
  }
}
