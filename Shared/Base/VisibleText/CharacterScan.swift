/// Finds the characters that a text which others see must not have ([C-12]), by Unicode's own properties.
///
/// - Control characters, but for line breaks and tabs in texts of several lines.
/// - What changes the direction of text: embeddings, overrides and isolates. A mark of direction (U+200E, U+200F, U+061C) is refused as an
///   invisible character: two names that differ by it look the same. Clients isolate each text instead.
/// - Invisible characters: all that Unicode calls default ignorable, and formats that show nothing. Allowed where they do show:
///   - joiners within scripts whose letters join or form conjuncts, where UAX #31 allows them; its table of joining types is not at hand, so the
///     letters on both sides decide by their script;
///   - ZWJ between emoji, variation selectors behind emoji and ideographs, tags within the flag of a region (UTS #51), selectors behind
///     letters of Mongolian.
/// - Code points that are not assigned, private, or no characters. Those where Unicode adds emoji are allowed: telephones have them earlier.
/// - More than four nonspacing marks on a character (UTS #39, section 5.4), and a mark at the beginning.
struct CharacterScan {
  /// The most nonspacing marks on a character.
  private static let maxMarks = 4

  private let scalars: [Unicode.Scalar]
  private let lines: TextLines
  /// What goes before the scalars in the text.
  private let offset: Int
  private var index = 0
  private var marks = 0

  init(_ scalars: some Sequence<Unicode.Scalar>, after offset: Int = 0, lines: TextLines) {
    (self.scalars, self.offset, self.lines) = (Array(scalars), offset, lines)
  }

  /// The first fault of the text.
  mutating func fault() -> TextFlaw.Fault? {
    while index < scalars.count {
      if let fault = faultHere() { return fault }
      index += 1
    }
    return nil
  }

  /// The text without the characters that are invisible or change its direction.
  mutating func withoutHidden() -> [Unicode.Scalar] {
    without { fault in
      switch fault {
      case .invisible, .direction: true
      default: false
      }
    }
  }

  /// The text without marks that show nothing where they stand.
  mutating func withoutStrayMarks() -> [Unicode.Scalar] {
    without { fault in if case .invisible(let scalar, _) = fault { scalar.isStrayMark } else { false } }
  }

  private mutating func without(_ isLeftOut: (TextFlaw.Fault) -> Bool) -> [Unicode.Scalar] {
    var kept: [Unicode.Scalar] = []
    while index < scalars.count {
      let start = index
      if !(faultHere().map(isLeftOut) ?? false) { kept.append(contentsOf: scalars[start...index]) }
      index += 1
    }
    return kept
  }

  /// Judges the character at `index`; leaves that at the last of a sequence that was judged as one.
  private mutating func faultHere() -> TextFlaw.Fault? {
    let scalar = scalars[index]
    let place = offset + index + 1
    if (0x20...0x7E).contains(scalar.value) {
      marks = 0
      return nil
    }
    if scalar.value < 0xA0 { return control(scalar, place) }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint {
      if isAllowed(ignorable: scalar) { return nil }
      return scalar.changesDirection ? .direction(scalar, at: place) : .invisible(scalar, at: place)
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return mark(scalar, place)
    case .lineSeparator, .paragraphSeparator: return lines == .one ? .lineBreak(at: place) : nil
    case .format: return scalar.isShownFormat ? nil : .invisible(scalar, at: place)
    case .privateUse, .surrogate: return .undefined(scalar, at: place)
    case .unassigned where !scalar.isAmongPictographs: return .undefined(scalar, at: place)
    default:
      marks = 0
      skipRegion()
      return nil
    }
  }

  private mutating func control(_ scalar: Unicode.Scalar, _ place: Int) -> TextFlaw.Fault? {
    marks = 0
    let isLineBreak = scalar == "\n" || scalar == "\r"
    guard lines == .several else { return isLineBreak ? .lineBreak(at: place) : .control(scalar, at: place) }
    // Alone it sends a terminal back to the beginning of the line, to write over it.
    if scalar == "\r" { return after(index) == "\n" ? nil : .control(scalar, at: place) }
    return scalar == "\n" || scalar == "\t" ? nil : .control(scalar, at: place)
  }

  private mutating func mark(_ scalar: Unicode.Scalar, _ place: Int) -> TextFlaw.Fault? {
    if index == 0 { return .leadingMark(scalar) }
    marks += 1
    return marks > Self.maxMarks ? .tooManyMarks(most: Self.maxMarks, at: place) : nil
  }

  private func after(_ index: Int) -> Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

  private func isAllowed(ignorable scalar: Unicode.Scalar) -> Bool {
    guard index > 0 else { return false }
    let before = scalars[index - 1]
    switch scalar.value {
    case 0x200C: return before.isLetterThatJoins && after(index)?.isLetterThatJoins ?? false
    case 0x200D: return joinsEmoji || before.isLetterThatJoins
    case 0xFE0E, 0xFE0F:
      if before.value > 0x7F { return before.properties.isEmoji }
      return scalar.value == 0xFE0F && before.properties.isEmoji && after(index)?.value == 0x20E3
    case 0xFE00...0xFE02, 0xE0100...0xE01EF: return before.properties.isUnifiedIdeograph
    case 0x180B...0x180F: return (0x1820...0x18AA).contains(before.value)
    default: return false
    }
  }

  /// Whether the joiner at `index` stands between emoji.
  private var joinsEmoji: Bool {
    let base = scalars[..<index].last { $0.value != 0xFE0F }
    return base?.isPictograph ?? false && after(index)?.isPictograph ?? false
  }

  /// Skips the tags behind a black flag that name a region: three to six letters or digits, and the tag that ends them.
  private mutating func skipRegion() {
    guard scalars[index].value == 0x1F3F4 else { return }
    let tags = scalars[(index + 1)...].prefix {
      (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
    }
    let end = index + 1 + tags.count
    guard (3...6).contains(tags.count), end < scalars.count, scalars[end].value == 0xE007F else { return }
    index = end
  }
}

extension Unicode.Scalar {
  /// Whether it is a mark that keyboards and other programs leave in a text, and that changes at most where words and lines end, or the side of
  /// what is beside it: spaces and joiners without a width, soft hyphens, marks of direction.
  var isStrayMark: Bool {
    switch value {
    case 0xAD, 0x61C, 0x200B...0x200F, 0x2060, 0xFEFF: true
    default: false
    }
  }

  /// Whether it is an embedding, an override or an isolate, or ends one.
  fileprivate var changesDirection: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

  /// Whether it is a format that shows: a sign that goes before the number or word that it encloses (Prepended_Concatenation_Mark).
  fileprivate var isShownFormat: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Whether it lies where Unicode adds emoji.
  fileprivate var isAmongPictographs: Bool { (0x1F000...0x1FAFF).contains(value) }

  fileprivate var isPictograph: Bool {
    value >= 0x2000 && properties.isEmoji || isAmongPictographs && properties.generalCategory == .unassigned
  }

  /// Whether it is a letter or mark of a script whose letters change by joiners: those that are written joined, and those of India and
  /// South-East Asia that form conjuncts.
  fileprivate var isLetterThatJoins: Bool {
    switch value {
    case 0x0600...0x074F, 0x0750...0x077F, 0x07C0...0x07FF, 0x0840...0x08FF, 0x0900...0x0DFF, 0x1000...0x109F,
      0x1780...0x18AF, 0x1B00...0x1BBF, 0xA840...0xA87F, 0xA8E0...0xA8FF, 0xA980...0xA9FF, 0xAA60...0xAA7F,
      0xFB50...0xFDFF, 0xFE70...0xFEFC, 0x10D00...0x10D3F, 0x10EC0...0x10EFF, 0x11000...0x11FFF, 0x1E900...0x1E95F:
      switch properties.generalCategory {
      case .otherLetter, .uppercaseLetter, .lowercaseLetter, .modifierLetter, .nonspacingMark, .spacingMark: true
      default: false
      }
    default: false
    }
  }
}
