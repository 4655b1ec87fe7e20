import Glibc

/// Cuts a JSON array into its elements, however the bytes arrive, and holds no more than one of them and a chunk (RFC 8259).
///
/// What an element says is for others to judge; here only brackets and quotation marks count.
struct JSONArrayBuffer: RecordCutter {
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
      if place == .lost, !isLineStart {
        scanned = newline(from: scanned)
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
    default: break
    }
    scanned += 1
    return nil
  }

  private mutating func begin() {
    (place, start, startLine, depth, isText, isEscaped) = (.element, scanned, line, 0, false, false)
  }

  private mutating func lookWithin(_ byte: UInt8) -> RecordBuffer.Piece? {
    if byte == UInt8(ascii: "\n"), isText { return lose("a quotation mark is not closed on its line") }
    guard scanned - start < longest else { return lose("it is longer than \(longest) bytes") }
    guard isText else { return lookBetweenTexts(byte) }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else {
      isText = byte != UInt8(ascii: "\"")
    }
    scanned += 1
    return nil
  }

  private mutating func lookBetweenTexts(_ byte: UInt8) -> RecordBuffer.Piece? {
    switch byte {
    case UInt8(ascii: "\""): isText = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      // The bracket of the array ends an element that is a number, for example.
      if depth == 0 {
        guard scanned > start else {
          scanned += 1
          return lose("a bracket is closed that was not opened")
        }
        return piece(upTo: scanned)
      }
      depth -= 1
      if depth == 0 {
        scanned += 1
        return piece(upTo: scanned)
      }
    case UInt8(ascii: ",") where depth == 0: return piece(upTo: scanned)
    case UInt8(ascii: "\n"): line += 1
    default: break
    }
    scanned += 1
    return nil
  }

  private mutating func lose(_ reason: String) -> RecordBuffer.Piece {
    place = .lost
    isLineStart = false
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

  /// The next line break, or the end of what came.
  private func newline(from place: Int) -> Int {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, let found = memchr(base + place, 0x0A, all.count - place) else {
        return all.count
      }
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
