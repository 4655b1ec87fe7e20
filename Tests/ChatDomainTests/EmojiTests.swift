import ChatDomain
import Testing

@Suite("reactions")
struct EmojiTests {
  @Test("one emoji is a reaction", arguments: ["👍", "❤️", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
  func accepted(_ text: String) { #expect(Emoji(text)?.text == text) }

  @Test(
    "[C-12] anything else is none",
    arguments: [
      "", "a", "1", "👍👍", "ok", "\u{202E}", "\u{200B}", "#", " ", "👍\u{0301}",
      "👍\u{200D}", "👍\u{034F}", "👍\u{180B}", "👍\u{E0041}\u{E007F}", "🏳️\u{E0067}\u{E007F}",
      "👍\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}",
    ])
  func refused(_ text: String) { #expect(Emoji(text) == nil) }
}
