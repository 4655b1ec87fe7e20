import NIOCore
import Testing

@testable import TTRPC

@Suite("Frames out of reads")
struct FrameReaderTests {
  @Test("holds no more than the unfinished frame, however many reads in a row end within one")
  func bounded() {
    let whole = [UInt8](repeating: 0, count: 6) + [0, 1, 9, 0]
    var reader = FrameReader()
    var frames = 0
    reader.read(ByteBuffer(bytes: whole.prefix(5))) { _ in true }
    for _ in 0..<10_000 {
      reader.read(ByteBuffer(bytes: whole.suffix(5) + whole.prefix(5))) { _ in
        frames += 1
        return true
      }
    }
    #expect(frames == 10_000)
    #expect(reader.unread.readableBytes == 5)
    #expect(reader.unread.capacity <= 1_024)
  }
}
