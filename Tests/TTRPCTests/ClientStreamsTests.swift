import Testing

@testable import TTRPCFrames

@Suite("Client streams")
struct ClientStreamsTests {
  @Test("ids are odd, from 1, and rise")
  func ids() {
    var streams = ClientStreams<String>()
    #expect((0..<4).map { _ in streams.open("call") } == [1, 3, 5, 7])
  }

  @Test("an answer finds its call once")
  func answers() {
    var streams = ClientStreams<String>()
    _ = streams.open("a")
    let id = streams.open("b")
    #expect(id.flatMap { streams.close($0) } == "b")
    #expect(id.flatMap { streams.close($0) } == nil)
    #expect(streams.close(8) == nil)
    #expect(streams.closeAll() == ["a"])
    #expect(streams.isEmpty)
  }
}
