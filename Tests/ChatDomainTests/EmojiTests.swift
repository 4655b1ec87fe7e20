import ChatDomain
import Testing

@Suite("reactions")
struct EmojiTests {
  @Test("one emoji is a reaction", arguments: ["👍", "❤️", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
  func accepted(_ text: String) { #expect(Emoji(text)?.text == text) }

  @Test(
    "T-7: an emoji without the selector of its picture is the same reaction as with it",
    arguments: ["❤", "☀", "✌", "©"])
  func withoutSelector(_ text: String) {
    #expect(text.unicodeScalars.count == 1)
    #expect(Emoji(text) == Emoji(text + "\u{FE0F}") && Emoji(text)?.text == text + "\u{FE0F}")
  }

  @Test(
    "[C-12] anything else is none",
    arguments: [
      "", "a", "1", "👍👍", "ok", "\u{202E}", "\u{200B}", "#", " ", "👍\u{0301}",
      "🇩", "🇩\u{FE0F}", "🇩🇪🇫", "\u{2764}\u{FE0E}",
      "👍\u{200D}", "👍\u{034F}", "👍\u{180B}", "👍\u{E0041}\u{E007F}", "🏳️\u{E0067}\u{E007F}",
      "👍\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}",
    ])
  func refused(_ text: String) { #expect(Emoji(text) == nil) }
}
