import Identifiers
import Testing

@Suite("ISBN")
struct ISBNTests {
  /// The vectors of exercism's isbn-verifier (MIT licence).
  private static let valid = ["3-598-21508-8", "3-598-21507-X", "3598215088", "359821507X"]
  private static let invalid = [
    "3-598-21508-9", "3-598-21507-A", "4-598-21507-B", "3-598-P1581-X", "3-598-2X507-9", "3-598-21508-96",
    "3-598-2X507-5", "359821507",
    "3598215078X", "00", "3-598-21507", "3-598-21515-X", "", "134456729", "3132P34035", "3598P215088", "98245726788",
  ]

  @Test("[CA-20] judges all 21 published vectors of ISBN-10 as their authors do")
  func vectors() {
    #expect(Self.valid.count + Self.invalid.count == 21)
    for text in Self.valid { #expect(ISBN(text) != nil, "\(text)") }
    for text in Self.invalid { #expect(ISBN(text) == nil, "\(text)") }
  }

  @Test(
    "[CA-20] ISBN-10 and ISBN-13 are one value, however they are written",
    arguments: [
      "0439023483", "0-439-02348-3", "0 439 02348 3", "9780439023481", "978-0-439-02348-1", " 978 0 439 02348 1 ",
      "978\u{2011}0\u{2011}439\u{2011}02348\u{2011}1", "439023483",
    ])
  func spellings(text: String) {
    #expect(ISBN(text)?.description == "9780439023481")
    #expect(ISBN(text)?.isbn10 == "0439023483")
  }

  @Test("[CA-20] the check digit X may be small, and stands at the end alone")
  func checkDigitX() {
    #expect(ISBN("043902348X") == nil)
    #expect(ISBN("155404295x")?.description == "9781554042951")
    #expect(ISBN("9781554042951")?.isbn10 == "155404295X")
    #expect(ISBN("15540429x5") == nil)
  }

  @Test("[CA-20] zeros that a spreadsheet took away come back, if the check digit says so")
  func lostZeros() {
    #expect(ISBN("7149875") == ISBN("0007149875") && ISBN("0007149875") != nil)
    #expect(ISBN("439023484") == nil)
    #expect(ISBN("43902348-3") == nil, "who writes hyphens has all digits")
    #expect(ISBN(complete: "439023483") == nil)
  }

  @Test(
    "[CA-20] a number under 979-0 is that of printed music, and no ISBN",
    arguments: ["979-0-2600-0043-8", "9790260000438"])
  func printedMusic(ismn: String) {
    #expect(ISBN(ismn) == nil && ISBN(complete: ismn) == nil)
  }

  @Test("[CA-20] a number under 979 has no ISBN-10")
  func prefix979() {
    #expect(ISBN("979-10-90636-07-1")?.description == "9791090636071")
    #expect(ISBN("979-10-90636-07-1")?.isbn10 == nil)
  }

  @Test(
    "[CA-20] anything else is none",
    arguments: [
      "", " ", "-", "9780439023482", "9770439023484", "978043902348", "97804390234811", "978043902348X",
      "９７８０４３９０２３４８１", "٩٧٨٠٤٣٩٠٢٣٤٨١", "ISBN 0439023483", "0439023483\0",
      String(repeating: "0439023483", count: 1_000),
    ])
  func refuses(text: String) {
    #expect(ISBN(text) == nil)
  }

  @Test("[CA-20] every ISBN-10 comes back from its ISBN-13, and a changed digit is always noticed")
  func roundTrip() {
    for payload in stride(from: 0, to: 1_000_000_000, by: 7_654_321) {
      let nine = String(String(payload + 1_000_000_000).dropFirst())
      let valid = (Array("0123456789X").map { nine + String($0) }).filter { ISBN(complete: $0) != nil }
      #expect(valid.count == 1, "\(nine)")
      for text in valid { #expect(ISBN(complete: text)?.isbn10 == text) }
    }
  }
}
