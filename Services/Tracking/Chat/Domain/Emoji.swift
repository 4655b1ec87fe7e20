/// One emoji: a character that is shown as a picture, with what belongs to it, such as a colour of skin or the other half of a flag.
public struct Emoji: Sendable, Hashable {
  /// With the selector of its picture, where it may be shown as a letter.
  public let text: String

  public static let refusal = "A reaction is one emoji"

  /// Code points of the longest emoji of Unicode 15, a flag of a region or a family, and a few more.
  private static let maxCount = 16

  /// `nil` for anything but one emoji.
  public init?(_ text: String) {
    guard text.unicodeScalars.count <= Self.maxCount, text.count == 1, let first = text.unicodeScalars.first else {
      return nil
    }
    // Digits and # are emoji with a keycap alone.
    let isKeycap = first.value > 0x7F || text.unicodeScalars.last?.value == 0x20E3
    guard first.properties.isEmoji, isKeycap else { return nil }
    if first.isHalfOfFlag {
      guard text.unicodeScalars.count == 2, text.unicodeScalars.allSatisfy(\.isHalfOfFlag) else { return nil }
    }
    // Nothing may hide in it. Of what is not seen, selectors, joiners and the tags of a region's flag belong to emoji.
    let isVisible = text.unicodeScalars.allSatisfy { scalar -> Bool in
      switch scalar.value {
      case 0xFE0F, 0x200D: true
      case 0xE0020...0xE007F: first.value == 0x1F3F4
      default: !scalar.properties.isDefaultIgnorableCodePoint && scalar.properties.generalCategory != .nonspacingMark
      }
    }
    guard isVisible, text.unicodeScalars.last?.value != 0x200D else { return nil }
    // Some keyboards leave the selector out: both are the same reaction.
    let lacksSelector = text.unicodeScalars.count == 1 && !first.properties.isEmojiPresentation
    self.text = lacksSelector ? text + "\u{FE0F}" : text
  }
}

extension Unicode.Scalar {
  /// Whether it is one of the two letters of a country.
  fileprivate var isHalfOfFlag: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
