import CatalogDomain
import Testing

@Suite("previews of links")
struct SharePreviewTextTests {
  @Test("[CA-15] 31 item 10: a preview names a book's authors and year")
  func books() {
    #expect(SharePreviewText.book(["Jane Austen"], nil) == "Jane Austen")
    #expect(SharePreviewText.book(["A", "B"], 1815) == "A, B (1815)")
    #expect(SharePreviewText.book(["Homer"], -700) == "Homer (700 BC)")
    let long = SharePreviewText.book(Array(repeating: String(repeating: "x", count: 200), count: 20), 1)
    #expect(long.count == 204 && long.hasSuffix("… (1)"))
  }

  @Test("[CA-15] 31 item 10: a preview has a workout's description, or names its exercises")
  func workouts() {
    #expect(SharePreviewText.workout("Slowly.", ["Squat"]) == "Slowly.")
    #expect(SharePreviewText.workout("", ["Squat", "Lunge"]) == "Squat, Lunge")
    #expect(SharePreviewText.workout("", ["A", "B", "C", "D", "E"]) == "A, B, C and 2 more")
    #expect(SharePreviewText.workout("", []).isEmpty)
  }
}
