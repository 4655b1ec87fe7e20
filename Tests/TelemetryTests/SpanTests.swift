import Environment
import Testing
import Tracing

@testable import Telemetry

@Suite("Spans")
struct SpanTests {
  let queue = SpanQueue(capacity: 4, batch: 2)

  private struct Headers: Extractor, Injector {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
  }

  func context(_ headers: [String: String], _ recorder: SpanRecorder) -> InstrumentationContext {
    var context = InstrumentationContext.topLevel
    recorder.extract(headers, into: &context, using: Headers())
    return context
  }

  func headers(_ context: InstrumentationContext, _ recorder: SpanRecorder) -> [String: String] {
    var headers: [String: String] = [:]
    recorder.inject(context, into: &headers, using: Headers())
    return headers
  }

  @Test("a caller's flag decides whether its trace is recorded, whatever the ratio")
  func callersFlag() throws {
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0"
    let never = SpanRecorder(queue, ratio: 0)
    let sampled = never.startSpan("a", context: context(["traceparent": parent + "1", "tracestate": "v=1"], never))
    sampled.end()
    let finished = try #require(queue.take().first)
    #expect(finished.parentID == 0x00f0_67aa_0ba9_02b7 && finished.place.trace.traceIDText.hasPrefix("4bf9"))
    #expect(headers(sampled.context, never)["tracestate"] == "v=1")

    let always = SpanRecorder(queue, ratio: 1)
    let silent = always.startSpan("a", context: context(["traceparent": parent + "0"], always))
    #expect(!silent.isRecording)
    silent.end()
    #expect(queue.take().isEmpty && headers(silent.context, always)["traceparent"] == parent + "0")
  }

  @Test("of the traces that begin here, the ratio decides, and spans below follow")
  func ratio() {
    let never = SpanRecorder(queue, ratio: 0)
    let root = never.startSpan("root")
    let below = never.startSpan("below", context: root.context)
    #expect(!root.isRecording && !below.isRecording)
    #expect(headers(below.context, never)["traceparent"]?.hasSuffix("-00") == true)
    let always = SpanRecorder(queue, ratio: 1)
    let recorded = always.startSpan("root")
    #expect(recorded.isRecording && always.startSpan("below", context: recorded.context).isRecording)
    let half = TraceSampler(ratio: 0.5)
    #expect(half.includes(0) && half.includes(1 << 63 - 1) && !half.includes(1 << 63) && !half.includes(.max))
  }

  @Test("what is not a traceparent begins a trace anew")
  func malformed() {
    let recorder = SpanRecorder(queue, ratio: 1)
    for text in ["", "00-0-0-01", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"] {
      let span = recorder.startSpan("a", context: context(["traceparent": text], recorder))
      span.end()
      #expect(queue.take().first?.parentID == nil)
    }
  }

  @Test("an ended span is offered once and changes no more; an error is known by its type alone")
  func ending() throws {
    struct Secret: Error { let text = "hunter2" }
    let span = SpanRecorder(queue, ratio: 1).startSpan("a")
    span.recordError(Secret())
    span.attributes["kept"] = 1
    span.end()
    span.end()
    span.attributes["lost"] = 2
    let finished = queue.take()
    #expect(finished.count == 1 && finished[0].attributes.get("lost") == nil)
    #expect(finished[0].events.first?.attributes.get("exception.type") == .string("Secret"))
    #expect(!"\(ExportRequest(resource: []).bytes(finished))".contains("hunter2"))
  }

  @Test("spans beyond the queue's capacity are dropped, and it is emptied in batches, oldest first")
  func bounded() {
    let recorder = SpanRecorder(queue, ratio: 1)
    for name in ["1", "2", "3", "4", "5"] { recorder.startSpan(name).end() }
    #expect(queue.take().map(\.name) == ["1", "2"] && queue.take().map(\.name) == ["3", "4"])
    #expect(queue.take().isEmpty)
  }

  @Test("a message has the bytes of protocol buffers' wire format")
  func wireFormat() {
    var writer = ProtobufWriter()
    writer.number(1, 150)
    writer.text(2, "testing")
    writer.fixed32(3, 1)
    writer.fixed64(4, 2)
    writer.identifier(5, 0x0102_0304_0506_0708)
    writer.message(16) { $0.number(1, 1) }
    #expect(
      writer.bytes == [
        0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67, 0x1d, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0,
        0, 0, 0, 0x2a, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0x82, 0x01, 2, 0x08, 1,
      ])
  }
}
