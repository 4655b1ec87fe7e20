import NIOCore
import Testing

@testable import TTRPCFrames

@Suite("Frames out of reads")
struct FrameReaderTests {
  /// An event, comparable.
  private enum Seen: Equatable {
    case frame(UInt32, [UInt8])
    case oversize(UInt32)
    case overBudget(UInt32)
  }

  private func read(_ reader: inout FrameReader, _ bytes: some Sequence<UInt8>) -> [Seen] {
    var seen: [Seen] = []
    reader.read(ByteBuffer(bytes: bytes)) { event in
      switch event {
      case .frame(let header, let body): seen.append(.frame(header.streamID, Array(body)))
      case .oversize(let header): seen.append(.oversize(header.streamID))
      case .overBudget(let header): seen.append(.overBudget(header.streamID))
      case .unskippable: return false
      }
      return true
    }
    return seen
  }

  private func frame(_ id: UInt32, _ length: Int) -> [UInt8] {
    RawSocket.frame(stream: id, type: 1, flags: 0, [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: length))
  }

  @Test("holds no more than the unfinished frame, however many reads in a row end within one")
  func bounded() {
    let whole = frame(1, 0)
    var reader = FrameReader()
    var frames = 0
    reader.read(ByteBuffer(bytes: whole.prefix(5))) { _ in true }
    for _ in 0..<10_000 { frames += read(&reader, whole.suffix(5) + whole.prefix(5)).count }
    #expect(frames == 10_000)
    #expect(reader.unread.readableBytes == 5)
    #expect(reader.unread.capacity <= 1_024)
  }

  @Test("the end of a long frame leaves nothing of it in memory")
  func released() {
    let budget = ByteBudget(limit: 10_000_000)
    var reader = FrameReader(budget: budget)
    let bytes = frame(1, 4_000_000)
    #expect(read(&reader, bytes.prefix(3_000_000)) == [])
    #expect(budget.bytes == 3_000_000 - FrameReader.free)
    #expect(read(&reader, bytes.dropFirst(3_000_000) + [0]).count == 1)
    #expect(budget.bytes == 0)
    #expect(reader.unread.capacity <= 1_024)
  }

  @Test("finds the same frames however the bytes are cut", arguments: 0..<20)
  func cuts(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var bytes: [UInt8] = []
    var expected: [Seen] = []
    for index in 0..<60 {
      let (id, length) = (UInt32(index), [0, 1, 9, 300, 5_000, 20_001][random(6)])
      bytes += frame(id, length)
      expected.append(length > 20_000 ? .oversize(id) : .frame(id, Array(frame(id, length).dropFirst(10))))
    }
    let budget = ByteBudget(limit: 1_000_000)
    var reader = FrameReader(longest: 20_000, budget: budget)
    var seen: [Seen] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, 1 + random([3, 40, 9_000][random(3)]))
      seen += read(&reader, rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    // Compared beforehand: to show what differs would take longer than everything else.
    let isSame = seen == expected
    #expect(isSame)
    #expect(!reader.isInFrame)
    #expect(reader.frames == 60 && reader.received == bytes.count)
    #expect(budget.bytes == 0)
  }

  @Test(
    "whoever wants no more events for now is handed back what is left, and reads the same frames later",
    arguments: 0..<20)
  func pauses(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let frames = (0..<60).map { frame(UInt32($0), [0, 1, 300, 5_000][random(4)]) }
    let budget = ByteBudget(limit: 1_000_000)
    var reader = FrameReader(budget: budget)
    var seen: [[UInt8]] = []
    var rest = frames.flatMap(\.self)[...]
    while !rest.isEmpty {
      let count = min(rest.count, 1 + random([3, 40, 9_000][random(3)]))
      var held: ByteBuffer? = ByteBuffer(bytes: rest.prefix(count))
      rest = rest.dropFirst(count)
      while let buffer = held {
        held = reader.read(buffer) { event in
          if case .frame(let header, let body) = event { seen.append(frame(header.streamID, body.count)) }
          return random(2) == 0
        }
      }
    }
    let isSame = seen == frames
    #expect(isSame)
    #expect(reader.received == frames.map(\.count).reduce(0, +) && reader.frames == 60)
    #expect(!reader.isInFrame && budget.bytes == 0)
  }

  @Test("a frame that there is no budget to keep is refused once and skipped to its end")
  func overBudget() {
    let budget = ByteBudget(limit: 10_000)
    var reader = FrameReader(budget: budget)
    let bytes = frame(1, 50_000) + frame(3, 100) + frame(5, 20_000)
    var seen: [Seen] = []
    for start in stride(from: 0, to: bytes.count, by: 3_000) {
      seen += read(&reader, bytes[start..<min(start + 3_000, bytes.count)])
      #expect(budget.bytes <= 10_000)
    }
    let isSame = seen == [.overBudget(1), .frame(3, Array(frame(3, 100).dropFirst(10))), .overBudget(5)]
    #expect(isSame)
    #expect(budget.bytes == 0 && !reader.isInFrame)
  }
}
