import Glibc
import Logging
import Testing

@testable import Telemetry

/// A pipe whose writing end a log writer can be given.
struct Pipe {
  let reader: CInt
  let writer: CInt

  init() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }

  /// Everything that was written, once the writing end is closed.
  func readToEnd() -> String {
    close(writer)
    defer { close(reader) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(reader, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

@Suite("Log lines")
struct LogTests {
  let moment = Timestamp(milliseconds: 1_795_232_249_007)

  func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
    LogLine(time: moment, level: .info, service: "identity", label: "rpc", message: message, metadata: metadata)
  }

  @Test("a JSON line has time, level, service, label, message and flattened metadata")
  func json() {
    let metadata: Logger.Metadata = [
      "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "peer": ["port": "7401"], "tags": ["a", "b"], "level": "x",
    ]
    #expect(
      String(decoding: line("served \"x\"\n\u{1}", metadata).json(), as: UTF8.self)
        == #"{"ts":"2026-11-21T03:37:29.007Z","level":"info","service":"identity","label":"rpc","message":"served \"x\"\n\u0001","#
        + #""metadata.level":"x","peer.port":"7401","tags":["a","b"],"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"}"#
        + "\n")
  }

  @Test("a text line cannot be forged or drive a terminal")
  func textEscapes() {
    let text = String(decoding: line("a\nb\u{1B}[2J", ["k": "two words"]).text(colour: .never), as: UTF8.self)
    #expect(text == "03:37:29.007 INFO     identity/rpc a\\nb\\x1b[2J k=\"two words\"\n")
  }

  @Test("colour surrounds the level only")
  func colour() {
    let text = String(decoding: line("up").text(colour: .always), as: UTF8.self)
    #expect(text == "03:37:29.007 \u{1B}[32mINFO\u{1B}[0m     identity/rpc up\n")
  }

  @Test(
    "a timestamp is the UTC calendar's",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ])
  func calendar(milliseconds: Int64, text: String) {
    var bytes: [UInt8] = []
    Timestamp(milliseconds: milliseconds).appendRFC3339(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test("what a call site says wins over the provider, which wins over the logger")
  func precedence() throws {
    let pipe = try Pipe()
    let writer = LogWriter(descriptor: pipe.writer)
    var handler = LineLogHandler(label: "t", output: LogOutput(service: "s", format: .json, writer: writer))
    handler.metadata = ["a": "logger", "b": "logger", "c": "logger"]
    handler.metadataProvider = Logger.MetadataProvider { ["b": "provider", "c": "provider"] }
    Logger(label: "t", factory: { _ in handler }).info("hello", metadata: ["c": "call"])
    writer.close()
    #expect(pipe.readToEnd().hasSuffix(#""message":"hello","a":"logger","b":"provider","c":"call"}"# + "\n"))
  }
}

@Suite("The log writer")
struct LogWriterTests {
  @Test("writes every line in order from many threads' view of one writer")
  func order() throws {
    let pipe = try Pipe()
    let writer = LogWriter(descriptor: pipe.writer)
    for number in 0..<1000 { writer.write(Array("\(number)\n".utf8)) }
    writer.close()
    #expect(pipe.readToEnd() == (0..<1000).map { "\($0)\n" }.joined())
    #expect(writer.droppedLines == 0)
  }

  @Test("drops and counts what a stopped reader leaves no room for, and says so later")
  func drops() throws {
    let pipe = try Pipe()
    let writer = LogWriter(descriptor: pipe.writer, capacity: 4096)
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1023) + [0x0A]
    // The pipe holds 64 KiB and the writer 4 KiB and one batch in hand: 200 KiB cannot fit, and must not block.
    for _ in 0..<200 { writer.write(line) }
    let dropped = writer.droppedLines
    #expect(dropped > 100)
    var chunk = [UInt8](repeating: 0, count: 1 << 17)
    let count = read(pipe.reader, &chunk, chunk.count)
    let first = String(decoding: chunk.prefix(count), as: UTF8.self)
    writer.flush()
    writer.write(line)
    writer.close()
    let reports = (first + pipe.readToEnd()).split(separator: "\n").filter { $0.contains("dropped") }
    #expect(reports.compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +) == dropped)
  }

  @Test("flush returns although nobody reads")
  func stoppedReader() throws {
    let pipe = try Pipe()
    let writer = LogWriter(descriptor: pipe.writer)
    writer.write([UInt8](repeating: 0x61, count: 100_000))
    writer.flush()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    #expect(read(pipe.reader, &chunk, chunk.count) == chunk.count, "the first pipe full of it was written")
    writer.close()
    #expect(pipe.readToEnd().utf8.count == 100_000 - chunk.count)
  }
}
