import NotesStore
import Identifiers
import Pagination
import Testing

@Suite("Keys in page tokens")
struct PageElementTests {
  func roundTrip<Element: PageElement & Equatable>(_ element: Element) -> Bool {
    var bytes: [UInt8] = []
    element.write(to: &bytes)
    var rest = (bytes + [1, 2])[...]
    let read = Element(from: &rest)
    var short = bytes.dropLast()[...]
    return read == element && rest == [1, 2] && Element(from: &short) == nil
  }

  @Test("every type of key is read as it was written, and no less")
  func elements() {
    for number in [0, -1, .min, .max] as [Int64] { #expect(roundTrip(number)) }
    for number in [0, -0.5, .infinity, .leastNonzeroMagnitude] as [Double] { #expect(roundTrip(number)) }
    for text in ["x", "ä\u{0}🎈", String(repeating: "long", count: 1_000)] { #expect(roundTrip(text)) }
    #expect(roundTrip(Instant(microseconds: -5)))
    #expect(roundTrip(UUID7(high: .max, low: 1)))
    #expect(roundTrip(NoteID(UUID7(high: 3, low: .max))))
    var huge = [127, 255, 255, 255, 255, 255, 255, 255, 1][...] as ArraySlice<UInt8>
    #expect(String(from: &huge) == nil)
  }
}
