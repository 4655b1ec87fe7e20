import Testing

@testable import CatalogLoading

@Suite("elements of a JSON array")
struct JSONArrayBufferTests {
  private func pieces(_ text: [UInt8], chunk: Int, longest: Int = 60) throws -> [String] {
    var buffer = JSONArrayBuffer(longest: longest)
    var found: [String] = []
    func take(_ isEnd: Bool) throws {
      while let piece = try buffer.next(isEnd: isEnd) {
        switch piece.content {
        case .record(let text): found.append("\(piece.line) \(text)")
        case .bad(let reason): found.append("\(piece.line)! \(reason)")
        }
      }
    }
    for start in stride(from: 0, to: text.count, by: chunk) {
      buffer.append(Array(text[start..<min(start + chunk, text.count)]))
      try take(false)
    }
    try take(true)
    return found
  }

  @Test("[CA-5] elements are found with their lines however the bytes arrive", arguments: 1...9)
  func elements(chunk: Int) throws {
    let text = #" [{"a": "]}\"{"},"# + "\n  {\"b\": [1, {\"c\": 2}],\n \"d\": 3}\n, 7, \"x\"]\n"
    #expect(
      try pieces(Array(text.utf8), chunk: chunk) == [
        #"1 {"a": "]}\"{"}"#, "2 {\"b\": [1, {\"c\": 2}],\n \"d\": 3}", "4 7", "4 \"x\"",
      ])
    #expect(try pieces(Array("[]".utf8), chunk: chunk).isEmpty)
  }

  @Test("[CA-5] JSON that is cut in half is named with the line where its last record begins", arguments: 1...9)
  func cut(chunk: Int) throws {
    #expect(try pieces(Array("[\n{\"a\": 1},\n{\"b\": {".utf8), chunk: chunk) == ["2 {\"a\": 1}", "3! it is cut off"])
    #expect(
      try pieces(Array("[\n{\"a\": 1},\n".utf8), chunk: chunk) == [
        "2 {\"a\": 1}", "3! the file ends before the array does",
      ])
  }

  @Test("[CA-5] a quotation mark that is missing costs its own record only", arguments: 1...9)
  func unclosed(chunk: Int) throws {
    let text = "[\n {\"a\": \"x},\n {\"b\": 2},\n {\"c\": 3}]"
    #expect(
      try pieces(Array(text.utf8), chunk: chunk) == [
        "2! a quotation mark is not closed on its line", "3 {\"b\": 2}", "4 {\"c\": 3}",
      ])
  }

  @Test("[CA-5] a bracket that closes nothing is named once, and the next line's record is read", arguments: 1...9)
  func stray(chunk: Int) throws {
    #expect(
      try pieces(Array("[{\"a\": 1}},\n{\"b\": 2}]".utf8), chunk: chunk) == [
        "1 {\"a\": 1}", "1! a bracket is closed that was not opened", "2 {\"b\": 2}",
      ])
  }

  @Test("[CA-5] what is not UTF-8 is bad, and the rest is not")
  func encoding() throws {
    let text = Array("[{\"a\": \"".utf8) + [0xE8] + Array("\"},\n{\"b\": 2}]".utf8)
    #expect(try pieces(text, chunk: 3) == ["1! it is not in UTF-8", "2 {\"b\": 2}"])
  }

  @Test("[CA-5] a record of 100 MB is passed over without being kept")
  func longRecord() throws {
    var buffer = JSONArrayBuffer(longest: 1 << 20)
    var (found, most) = ([RecordBuffer.Piece](), 0)
    buffer.append(Array("[{\"a\": 1},\n{\"long\": \"".utf8))
    let chunk = [UInt8](repeating: 0x78, count: 1 << 20)
    for _ in 0..<100 {
      while let piece = try buffer.next(isEnd: false) { found.append(piece) }
      most = max(most, buffer.held)
      buffer.append(chunk)
    }
    buffer.append(Array("\"},\n{\"b\": 2}]".utf8))
    while let piece = try buffer.next(isEnd: true) { found.append(piece) }
    #expect(
      found == [
        .init(line: 1, content: .record("{\"a\": 1}")),
        .init(line: 2, content: .bad("it is longer than 1048576 bytes")),
        .init(line: 3, content: .record("{\"b\": 2}")),
      ])
    #expect(most < 4 << 20)
  }

  @Test("[CA-5] of an array on a single line a record that is too long costs itself alone", arguments: [1, 7, 1_000])
  func longRecordOnOneLine(chunk: Int) throws {
    let long = #"{"long": ["\"}"], "# + "\"x\": \"" + String(repeating: "y", count: 200) + "\"}"
    let text =
      "[{\"a\": 1},\(long),{\"b\": 2},\"\(String(repeating: "z", count: 99))\",3,[\(String(repeating: "1,", count: 90))1]]"
    #expect(
      try pieces(Array(text.utf8), chunk: chunk) == [
        "1 {\"a\": 1}", "1! it is longer than 60 bytes", "1 {\"b\": 2}", "1! it is longer than 60 bytes", "1 3",
        "1! it is longer than 60 bytes",
      ])
  }

  @Test("[CA-5] a file that is no array is refused", arguments: ["{\"a\": 1}", "", "  \n", "null"])
  func noArray(text: String) {
    #expect(throws: UnusableFile(reason: "it is no JSON array of records")) {
      try pieces(Array(text.utf8), chunk: 5)
    }
  }

  @Test("[CA-10] HTML becomes lines of plain text, and no tag is left")
  func plainText() {
    let html =
      "<p>Lie&nbsp;down &amp; rest.</p>\n<ol><li><strong>Lift</strong> it.</li><li>x < 3 &#39;kg&#x27; &bogus;</li></ol>"
    #expect(PlainText.lines(ofHTML: html) == ["Lie down & rest.", "Lift it.", "x < 3 'kg' &bogus;"])
    #expect(PlainText.lines(ofHTML: "a<script>alert(1)</script><!-- b -->c<br/>d") == ["aalert(1)c", "d"])
    #expect(PlainText.lines(ofHTML: "<p unclosed").joined() == "<p unclosed")
    #expect(PlainText.lines(ofHTML: "") == [])
  }
}
