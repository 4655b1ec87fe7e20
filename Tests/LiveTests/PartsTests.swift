import Postgres
import TestSupport
import Testing

@testable import Live

@Suite("Parts of the bus")
struct PartsTests {
  let channel = LiveChannel("tests.channel")

  func frame(
    _ number: UInt64, part: UInt16 = 0, of parts: UInt16 = 1, _ body: [UInt8] = [1], from publisher: UInt64 = 1
  )
    -> LiveFrame
  {
    LiveFrame(kind: .payload, publisher: publisher, number: number, part: part, parts: parts, body: body[...])
  }

  @Test("a frame is read as it was written")
  func frames() {
    let written = frame(.max - 1, part: 2, of: 300, [0, 255, 7], from: .max)
    let read = LiveFrame(written.bytes)
    #expect(read == written)
    #expect(LiveFrame([]) == nil && LiveFrame([UInt8](repeating: 0, count: 30)) == nil)
    #expect(LiveFrame(frame(1, part: 1, of: 1).bytes) == nil)
  }

  @Test("a repeated frame is heard once, whoever else sends meanwhile")
  func repetitions() {
    var arrivals = LiveArrivals()
    #expect(arrivals.take(frame(1)) == .payload([1]))
    #expect(arrivals.take(frame(3)) == .payload([1]))
    #expect(arrivals.take(frame(1, from: 2)) == .payload([1]))
    for number in 1...3 as ClosedRange<UInt64> { #expect(arrivals.take(frame(number)) == .nothing) }
    #expect(arrivals.take(frame(4)) == .payload([1]))
  }

  @Test("parts become one payload; parts without their beginning become a gap")
  func parts() {
    var arrivals = LiveArrivals()
    #expect(arrivals.take(frame(1, part: 0, of: 3, [1])) == .nothing)
    #expect(arrivals.take(frame(1, part: 0, of: 2, [7], from: 2)) == .nothing)
    #expect(arrivals.take(frame(2, part: 1, of: 3, [2])) == .nothing)
    #expect(arrivals.take(frame(2, part: 1, of: 3, [2])) == .nothing)
    #expect(arrivals.take(frame(3, part: 2, of: 3, [3])) == .payload([1, 2, 3]))
    #expect(arrivals.take(frame(5, part: 1, of: 2, [2])) == .gap)
    #expect(arrivals.take(frame(6)) == .payload([1]))
  }

  @Test("an endless message is a gap, not endless memory")
  func endlessParts() {
    var arrivals = LiveArrivals()
    let body = [UInt8](repeating: 1, count: LiveLimits.payloadBytes / 2)
    #expect(arrivals.take(frame(1, part: 0, of: 9, body)) == .nothing)
    #expect(arrivals.take(frame(2, part: 1, of: 9, body)) == .nothing)
    #expect(arrivals.take(frame(3, part: 2, of: 9, body)) == .gap)
  }

  @Test("the memory of publishers is bounded")
  func manyPublishers() {
    var arrivals = LiveArrivals()
    for publisher in 1...10_000 as ClosedRange<UInt64> {
      #expect(arrivals.take(frame(1, from: publisher)) == .payload([1]))
    }
    #expect(arrivals.rememberedPublishers <= 1_024)
  }

  @Test("what waits is bounded in messages and bytes, and the oldest goes first")
  func outbox() {
    let outbox = LiveOutbox(
      publisher: 1, frameBytes: 100, limits: .init(messages: 3, bytes: 250), metrics: LiveMetrics())
    for byte in 1...5 as ClosedRange<UInt8> { outbox.append([byte], to: channel) }
    let frames = outbox.next()
    #expect(frames.map(\.frame.kind) == [.gap, .payload, .payload, .payload])
    #expect(frames.map(\.frame.number) == [1, 2, 3, 4])
    #expect(frames.dropFirst().map(\.frame.body) == [[3], [4], [5]])
    #expect(outbox.next().isEmpty)
    outbox.append([UInt8](repeating: 1, count: 200), to: channel)
    outbox.append([UInt8](repeating: 2, count: 200), to: channel)
    #expect(outbox.next().map(\.frame.parts) == [1, 3, 3, 3])
  }

  @Test("a server's address is read, and its text shows no secret")
  func servers() throws {
    let server = try #require(NATSServer("tls://user:secret@bus.example:4333"))
    #expect(server.description == "tls://bus.example:4333" && server.url == "nats://user:secret@bus.example:4333")
    #expect(NATSServer("nats://token@[::1]")?.description == "nats://[::1]:4222")
    #expect(NATSServer.list("nats://a,tls://b:1")?.map(\.host) == ["a", "b"])
    for bad in ["", "nats://", "http://a", "nats://a:0", "nats://a:x", "nats://a b", "nats://a/b", "nats://::1", "a"] {
      #expect(NATSServer(bad) == nil, "\(bad)")
    }
    #expect(NATSServer.list("nats://a,") == nil)
  }

  @Test("a channel is a subject of one word, and back")
  func subjects() {
    for name in ["a.b", "..", "tandem.live", "a_b", LiveOutbox.everybody] {
      let subject = NATSSubject.of(name)
      #expect(NATSSubject.channel(of: subject) == name)
    }
    #expect(NATSSubject.of("a..b") == "tandem.live.a--b")
    #expect(Set([LiveOutbox.everybody, "tandem.live", "everybody"].map(NATSSubject.of)).count == 3)
  }

  @Test("the statements can be prepared")
  func statements() async throws {
    try await TestDatabase.with([]) { (database) async throws in
      #expect(try await StatementCheck.problems(of: PostgresBus.statements, url: database.url) == [])
    }
  }
}
