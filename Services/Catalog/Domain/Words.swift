import TextNormalization

/// Words as all searches of the catalog compare them, when they are stored as when they are asked for ([CA-2], [CA-10], [CA-25]).
///
/// They are those of `TextNormalization`, with one spelling for what single scripts write in several ways; see ``ScriptFolding``.
public enum Words {
  /// A change after which a text may have other words needs a higher number: what is stored then gets its words anew.
  public static let foldingVersion: Int32 = 2

  /// The words of `text`, in order. Characters of Chinese and Japanese are words of their own, as are the syllables of Thai and Lao: these
  /// scripts put no space between words.
  public static func of(_ text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return TextNormalization.Words.of(text) }
    return TextNormalization.Words.of(ScriptFolding.folded(text)).map(ScriptFolding.withoutArticle)
  }

  /// Whether `word` is a character or a syllable of a script that puts no space between words.
  static func isUnspaced(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first else { return false }
    return switch first.value {
    case 0x0E01...0x0EFF, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2FA1F: true
    default: false
    }
  }
}
