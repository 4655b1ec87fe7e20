import EchoV1
import NIOCore
import ProtobufC
import TTRPCWire
import Testing

@testable import TTRPC
@testable import TTRPCFrames

@Suite("Frames on their way out")
struct FrameBufferTests {
  @Test("what is taken back counts no more, neither its bytes nor the calls that it ends")
  func cut() {
    let arena = Arena()
    var frames = FrameBuffer(allocator: ByteBufferAllocator())
    #expect(frames.appendResponse(Msg(value: "stays").packed(in: arena), on: 1) == nil)
    let before = (frames.count, frames.calls)
    #expect(before.1 == 1)
    #expect(frames.appendResponse(Msg(value: "goes").packed(in: arena), on: 3) == nil)
    frames.appendEnd(on: 5)
    #expect(frames.appendResponse(Msg().packed(in: arena), on: 7) == nil)
    #expect(frames.calls == 3)
    frames.cut(to: before.0)
    #expect((frames.count, frames.calls) == before)
    frames.cut(to: 0)
    #expect(frames.isEmpty && frames.calls == 0)
  }

  @Test("a Response whose status comes in two pieces fails, though the last of them says nothing")
  func mergedStatus() throws {
    let failed = TTRPCWire.Response(status: Status(.notFound, "no such thing").wire).serialized()
    let bytes = failed + [0x0A, 0x00]
    let envelope = try bytes.withUnsafeBytes { try ResponseEnvelope($0, in: Arena()) }
    #expect(envelope.failure?.code == .notFound)
  }
}
