import EchoV1
import NIOCore
import ProtobufC
import Testing

@testable import TTRPC

@Suite("Frames on their way out")
struct FrameBufferTests {
  @Test("what is taken back counts no more, neither its bytes nor the calls that it ends")
  func cut() {
    let arena = Arena()
    var frames = FrameBuffer(allocator: ByteBufferAllocator())
    #expect(frames.appendResponse(Msg(value: "stays"), on: 1, in: arena) == nil)
    let before = (frames.count, frames.calls)
    #expect(before.1 == 1)
    #expect(frames.appendResponse(Msg(value: "goes"), on: 3, in: arena) == nil)
    frames.appendEnd(on: 5)
    #expect(frames.appendResponse(Msg(), on: 7, in: arena) == nil)
    #expect(frames.calls == 3)
    frames.cut(to: before.0)
    #expect((frames.count, frames.calls) == before)
    frames.cut(to: 0)
    #expect(frames.isEmpty && frames.calls == 0)
  }
}
