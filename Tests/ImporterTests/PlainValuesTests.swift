import Glibc
import Identifiers
import SeededNumbers
import Testing

@testable import ActivityFiles

@Suite("values of files")
struct PlainValuesTests {
  @Test("[IM-10] decimal numbers are read as exactly as the C library reads them")
  func decimals() {
    var random = SplitMix(seed: 2026)
    for _ in 0..<20_000 {
      let length = Int.random(in: 1...63, using: &random)
      let digits = String(UInt64.random(in: 0...(1 << UInt64(length)), using: &random))
      let places = Int.random(in: 0...digits.count, using: &random)
      let sign = ["", "-", "+"].randomElement(using: &random) ?? ""
      let exponent = Bool.random(using: &random) ? "" : "e\(Int.random(in: -30...30, using: &random))"
      let text = "\(sign)\(digits.dropLast(places)).\(digits.suffix(places))\(exponent)"
      #expect(PlainValues.number(text) == strtod(text, nil), "\(text)")
    }
  }

  @Test(
    "[IM-10] a number is the first word, and nothing else is one",
    arguments: [
      (" 12.5\n", 12.5), ("7", 7), ("-.5", -0.5), ("+3", 3), ("1 2", 1), ("1e3", 1_000), ("0012", 12), ("", nil),
      ("-", nil),
      (".", nil), ("1.2.3", nil), ("1-2", nil), ("0x10", nil), ("nan", nil), ("inf", nil), ("1e999", nil), ("1,5", nil),
    ])
  func words(text: String, number: Double?) {
    #expect(PlainValues.number(text) == number)
  }

  @Test(
    "[IM-10] a time is a moment with its offset",
    arguments: [
      ("2019-12-15 20:19:55 +0100", 1_576_437_595_000_000, 3_600), ("2019-12-15T19:19:55Z", 1_576_437_595_000_000, 0),
      (" 2019-12-15T19:19:55.25\n", 1_576_437_595_250_000, nil), ("2019-12-15T19:19Z", 1_576_437_540_000_000, 0),
      ("2019-12-15t19:19:55Z", nil, nil), ("2019-12-15T19:19:5", nil, nil), ("2019-12-15T24:19:55Z", nil, nil),
      ("2019-02-29T19:19:55Z", nil, nil), ("", nil, nil), ("2019-12-15T19:19:55Z x", nil, nil),
    ])
  func times(text: String, microseconds: Int64?, offset: Int?) {
    let time = PlainValues.time(text)
    #expect(time?.instant.microseconds == microseconds && time?.offset == offset)
  }
}
