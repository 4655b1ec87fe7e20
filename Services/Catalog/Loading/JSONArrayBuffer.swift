import Glibc

/// Cuts a JSON array into its elements, however the bytes arrive, and holds no more than one of them and a chunk (RFC 8259).
///
/// What an element says is for others to judge; here only brackets and quotation marks count.
struct JSONArrayBuffer: RecordSplitter {
  private enum Place {
    /// Before the bracket that begins the array.
    case start
    /// Between two elements.
    case between
    /// Within an element; becomes `between` with its end, or `lost`.
    case element
    /// Behind an element that was broken; goes on where a line begins with a new object.
    case lost
    /// Behind the array.
    case end
  }

  private let longest: Int
  private var place = Place.start
  private var bytes: [UInt8] = []
  /// How far the bytes were looked at.
  private var scanned = 0
  /// Where the element begins.
  private var start = 0
  private var line = 1
  private var startLine = 1
  /// Brackets that are open within the element.
  private var depth = 0
  private var isText = false
  private var isEscaped = false
  /// Whether nothing but white space came since the line began.
  private var isLineStart = false
  /// Whether brackets and quotation marks of an element that was lost still fit, so that its end will be known.
  private var isFollowed = false

  /// - Parameter longest: bytes of an element at most; a longer one is bad, and is not kept while it is passed over.
  init(longest: Int) { self.longest = longest }

  /// What it holds, for tests.
  var held: Int { bytes.count }

  mutating func append(_ chunk: [UInt8]) {
    let done = place == .element ? start : scanned
    bytes.removeSubrange(..<done)
    scanned -= done
    start = 0
    bytes.append(contentsOf: chunk)
  }

  mutating func next(isEnd: Bool) throws(UnusableFile) -> RecordBuffer.Piece? {
    while scanned < bytes.count {
      if place == .lost {
        passOver()
        guard scanned < bytes.count else { break }
      }
      if let piece = try look(at: bytes[scanned]) { return piece }
    }
    guard isEnd, place != .end else { return nil }
    let last = place
    place = .end
    switch last {
    case .start: throw UnusableFile(reason: "it is no JSON array of records")
    case .element: return bad("it is cut off", at: startLine)
    case .between, .lost: return bad("the file ends before the array does", at: line)
    case .end: return nil
    }
  }

  /// Passes over what means nothing within an element that was lost.
  private mutating func passOver() {
    if !isFollowed, !isLineStart {
      scanned = first(UInt8(ascii: "\n"), from: scanned, to: bytes.count)
    } else if isFollowed, isText, !isEscaped {
      let quote = first(UInt8(ascii: "\""), from: scanned, to: bytes.count)
      let escape = first(UInt8(ascii: "\\"), from: scanned, to: quote)
      scanned = first(UInt8(ascii: "\n"), from: scanned, to: escape)
    }
  }

  private mutating func look(at byte: UInt8) throws(UnusableFile) -> RecordBuffer.Piece? {
    if place == .element { return lookWithin(byte) }
    defer {
      isLineStart = byte == UInt8(ascii: "\n") || (isLineStart && Self.isSpace(byte))
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    let opensObject = byte == UInt8(ascii: "{")
    switch place {
    case .start where byte == UInt8(ascii: "["): place = .between
    case .start where !Self.isSpace(byte): throw UnusableFile(reason: "it is no JSON array of records")
    case .between where byte == UInt8(ascii: "]"): place = .end
    case .between where !Self.isSpace(byte) && byte != UInt8(ascii: ","), .lost where opensObject && isLineStart:
      begin()
      return nil
    case .lost where isFollowed: follow(byte)
    default: break
    }
    scanned += 1
    return nil
  }

  /// Goes on within an element that is too long, to its end.
  private mutating func follow(_ byte: UInt8) {
    // Where a line ends in it, nobody knows what is text and what is not.
    if byte == UInt8(ascii: "\n"), isText { isFollowed = false }
    let isInside = depth > 0 || isText
    if depth == 0, !isText, byte == UInt8(ascii: "]") {
      place = .end
    } else if depth == 0, !isText, byte == UInt8(ascii: ",") {
      place = .between
    } else {
      count(byte)
      if isInside, depth == 0, !isText { place = .between }
    }
  }

  /// Takes account of what a byte says about brackets and quotation marks.
  private mutating func count(_ byte: UInt8) {
    if isText {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        isText = byte != UInt8(ascii: "\"")
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isText = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
  }

  private mutating func begin() {
    (place, start, startLine, depth, isText, isEscaped) = (.element, scanned, line, 0, false, false)
  }

  private mutating func lookWithin(_ byte: UInt8) -> RecordBuffer.Piece? {
    if byte == UInt8(ascii: "\n"), isText { return lose("a quotation mark is not closed on its line") }
    guard scanned - start < longest else {
      defer { isFollowed = true }
      return lose("it is longer than \(longest) bytes")
    }
    if !isText {
      switch byte {
      // The bracket of the array ends an element that is a number, for example.
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return bracketOfNothing() }
        if depth == 1 {
          scanned += 1
          return piece(upTo: scanned)
        }
      case UInt8(ascii: ",") where depth == 0: return piece(upTo: scanned)
      case UInt8(ascii: "\n"): line += 1
      default: break
      }
    }
    count(byte)
    scanned += 1
    return nil
  }

  /// A bracket that closes none of the element's.
  private mutating func bracketOfNothing() -> RecordBuffer.Piece {
    guard scanned > start else {
      scanned += 1
      return lose("a bracket is closed that was not opened")
    }
    return piece(upTo: scanned)
  }

  private mutating func lose(_ reason: String) -> RecordBuffer.Piece {
    place = .lost
    (isLineStart, isFollowed) = (false, false)
    return bad(reason, at: startLine)
  }

  private mutating func piece(upTo end: Int) -> RecordBuffer.Piece {
    place = .between
    guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
      return bad("it is not in UTF-8", at: startLine)
    }
    return RecordBuffer.Piece(line: startLine, content: .record(text))
  }

  private func bad(_ reason: String, at line: Int) -> RecordBuffer.Piece {
    RecordBuffer.Piece(line: line, content: .bad(reason))
  }

  /// Where a byte is first before `end`, or that.
  private func first(_ byte: UInt8, from place: Int, to end: Int) -> Int {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, let found = memchr(base + place, Int32(byte), end - place) else { return end }
      return UnsafeRawPointer(found) - base
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}
