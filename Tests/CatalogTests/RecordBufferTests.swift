import Testing

@testable import CatalogLoading

@Suite("records of a file")
struct RecordBufferTests {
  private func pieces(
    _ text: [UInt8], _ ending: RecordBuffer.Ending, chunk: Int, longest: Int = 20
  ) -> [RecordBuffer.Piece] {
    var buffer = RecordBuffer(ending, longest: longest)
    var found: [RecordBuffer.Piece] = []
    for start in stride(from: 0, to: text.count, by: chunk) {
      buffer.append(Array(text[start..<min(start + chunk, text.count)]))
      while let piece = buffer.next(isEnd: false) { found.append(piece) }
    }
    while let piece = buffer.next(isEnd: true) { found.append(piece) }
    return found
  }

  @Test("[CA-5] lines are found with their numbers however the bytes arrive", arguments: 1...9)
  func lines(chunk: Int) {
    let found = pieces(Array("one\r\n\ntwo\n\n\nthree".utf8), .line, chunk: chunk)
    #expect(
      found == [
        .init(line: 1, content: .record("one")), .init(line: 3, content: .record("two")),
        .init(line: 6, content: .record("three")),
      ])
  }

  @Test("[CA-5] a line break within quotation marks ends no record", arguments: 1...9)
  func quotes(chunk: Int) {
    let found = pieces(Array("a,\"b\nc\"\"\"\nd\n".utf8), .lineOutsideQuotes, chunk: chunk)
    #expect(
      found == [.init(line: 1, content: .record("a,\"b\nc\"\"\"")), .init(line: 3, content: .record("d"))])
  }

  @Test("[CA-5] a quotation mark that is never closed costs its own line only", arguments: 1...9)
  func unclosed(chunk: Int) {
    let text = "good\n\"bad\n" + (1...9).map { "line \($0)\n" }.joined()
    let found = pieces(Array(text.utf8), .lineOutsideQuotes, chunk: chunk)
    #expect(found.first == .init(line: 1, content: .record("good")))
    #expect(found.dropFirst().first == .init(line: 2, content: .bad("a quotation mark is not closed")))
    #expect(found.dropFirst(2) == (1...9).map { .init(line: $0 + 2, content: .record("line \($0)")) }[...])
  }

  @Test(
    "[CA-5] a line that is too long is said to be, whatever quotation marks it has", arguments: ["", "\"", "a,\"b"])
  func longQuoted(beginning: String) {
    var buffer = RecordBuffer(.lineOutsideQuotes, longest: 1_000)
    buffer.append(Array(beginning.utf8) + [UInt8](repeating: 0x78, count: 5_000) + Array("\nnext\n".utf8))
    #expect(buffer.next(isEnd: true) == .init(line: 1, content: .bad("it is longer than 1000 bytes")))
    #expect(buffer.next(isEnd: true) == .init(line: 2, content: .record("next")))
  }

  @Test("[CA-5] what is not UTF-8 is bad, and the rest is not")
  func encoding() {
    let found = pieces(Array("tr".utf8) + [0xE8, 0x73, 0x0A] + Array("très\n".utf8), .line, chunk: 3)
    #expect(
      found == [.init(line: 1, content: .bad("it is not in UTF-8")), .init(line: 2, content: .record("très"))])
  }

  @Test("[CA-5] a line of 100 MB is passed over without being kept")
  func longLine() {
    var buffer = RecordBuffer(.line, longest: 1 << 20)
    var (found, most) = ([RecordBuffer.Piece](), 0)
    buffer.append(Array("one\n".utf8))
    let chunk = [UInt8](repeating: 0x78, count: 1 << 20)
    for _ in 0..<100 {
      buffer.append(chunk)
      while let piece = buffer.next(isEnd: false) { found.append(piece) }
      most = max(most, buffer.held)
    }
    buffer.append(Array("\nthree".utf8))
    while let piece = buffer.next(isEnd: true) { found.append(piece) }
    #expect(
      found == [
        .init(line: 1, content: .record("one")), .init(line: 2, content: .bad("it is longer than 1048576 bytes")),
        .init(line: 3, content: .record("three")),
      ])
    #expect(most < 4 << 20)
  }

  @Test("[CA-5] fields are what stands between commas, quoted or not")
  func fields() {
    #expect(CommaSeparated.fields(of: "a,,\"b,\"\"c\"\"\",d") == ["a", "", "b,\"c\"", "d"])
    #expect(CommaSeparated.fields(of: "") == [""])
    #expect(CommaSeparated.fields(of: "\"a\"b,c") == nil)
    #expect(CommaSeparated.fields(of: "\"a") == nil)
  }

  @Test("[CA-5] progress tells share, records, rate and the time that is left")
  func progress() {
    let half = LoadProgress(bytes: 500, of: 1_000, records: 1_234_567, elapsed: .seconds(10))
    #expect("\(half)" == "50 %, 1,234,567 records, 123,456 a second, 10 s left")
    let unknown = LoadProgress(bytes: 500, of: nil, records: 7, elapsed: .zero)
    #expect("\(unknown)" == "7 records, 0 a second")
    let long = LoadProgress(bytes: 1, of: 1_001, records: 1, elapsed: .seconds(1))
    #expect("\(long)" == "0 %, 1 records, 1 a second, 17 min left")
  }
}
