import Reflection
import Testing

@Suite("JSON text")
struct JSONTextTests {
  @Test(
    "keeps what it reads",
    arguments: [
      #"{"a":[1,2.50,-3e+7,18446744073709551616],"b":null,"c":{},"d":[],"e":true}"#, #""\"\\\n\t""#, #""😀""#, "0", "-0",
    ])
  func keeps(text: String) throws {
    #expect(try JSONValue(parsing: text).text(.oneLine) == text)
  }

  @Test("reads escapes and surrogate pairs")
  func escapes() throws {
    #expect(try JSONValue(parsing: #""\u00e9\uD83D\uDE00\/""#) == .string("é😀/"))
  }

  @Test(
    "says where the text is wrong",
    arguments: [
      ("", "line 1, column 1: the text ends"), ("{\n \"a\": }", "line 2, column 7: a value"), ("[1,]", "column 4"),
      (#"{"a":1,"a":2}"#, "occurs twice"), ("01", "more text"), ("1.", "a digit"), (#""\uD800""#, "surrogate"),
      (#""\x""#, "no such escape"), ("\"a\nb\"", "control character"), ("nul", "a value"), ("{a:1}", "double quotes"),
      (#"{"a" 1}"#, "a colon"), ("\"a", "no end"), (String(repeating: "[", count: 5_000), "deeper than 100"),
      ("1 2", "more text"),
    ])
  func wrong(text: String, reason: String) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error.description.contains(reason), "\(error)")
  }

  @Test("writes nothing that acts on a terminal")
  func terminal() {
    #expect(JSONValue.string("\u{1B}[31m\u{202E}").text() == #""\u001b[31m\u202e""#)
  }
}
