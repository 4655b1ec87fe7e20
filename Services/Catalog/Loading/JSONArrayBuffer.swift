import Glibc

/// Splits a JSON array (RFC 8259) into its elements, for chunks of any size. It buffers at most one element and one chunk.
///
/// Only brackets and quotation marks are checked; the elements are parsed elsewhere.
struct JSONArrayBuffer: RecordSplitter {
  private enum Place {
    /// Before the opening bracket of the array.
    case start
    /// Between two elements.
    case between
    /// Within an element; becomes `between` at its end, or `lost`.
    case element
    /// After a broken element; continues where a line begins with a new object.
    case lost
    /// After the array.
    case end
  }

  private let longest: Int
  private var place = Place.start
  private var bytes: [UInt8] = []
  /// The index up to which bytes were scanned.
  private var scanned = 0
  /// The index where the element begins.
  private var start = 0
  private var line = 1
  private var startLine = 1
  /// Open brackets within the element.
  private var depth = 0
  private var isText = false
  private var isEscaped = false
  /// Whether only white space has come since the line began.
  private var isLineStart = false
  /// Whether the brackets and quotation marks of a lost element still match, so that its end can be found.
  private var isFollowed = false

  /// - Parameter longest: the most bytes of an element; a longer one is bad and is skipped without being buffered.
  init(longest: Int) { self.longest = longest }

  /// Bytes in the buffer, for tests.
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

  /// Skips irrelevant bytes within a lost element.
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

  /// Continues within an element that is too long, to its end.
  private mutating func follow(_ byte: UInt8) {
    // A line feed within a string is an error; after it strings cannot be distinguished from the rest.
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

  /// Updates the state of brackets and quotation marks.
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
      // The array's bracket ends an element without brackets of its own, a number for example.
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

  /// An error: a bracket that does not close any of the element's.
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

  /// The first index of a byte before `end`, or `end`.
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
