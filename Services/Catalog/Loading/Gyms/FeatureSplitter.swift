import Glibc

/// Splits a GeoJSON FeatureCollection (RFC 7946) into its features, for chunks of any size. It buffers at most one feature and one chunk.
struct FeatureSplitter: RecordSplitter {
  private enum Place {
    /// Before the collection's opening bracket.
    case outside
    /// Among the collection's members; `name` is that of the member whose value is next.
    case members(name: [UInt8]?)
    /// Between features.
    case list
    /// In a feature that began at `start`.
    case feature(start: Int, line: Int)
    /// After an error, or after the end of the list, which may be just an extra bracket: searches for the beginning of a feature.
    case lost
    /// After the end of the file.
    case over
  }

  /// Deeper nesting is an error: a polygon adds four levels to its feature, and tags one or two.
  private static let deepest = 32

  private let longest: Int
  private var place = Place.outside
  private var bytes: [UInt8] = []
  /// The next byte to look at.
  private var position = 0
  private var line = 1
  private var scan = BracketScan()

  /// - Parameter longest: the most bytes of a feature; a longer one is an error and is skipped without being buffered.
  init(longest: Int) { self.longest = longest }

  /// Bytes in the buffer, for tests.
  var held: Int { bytes.count }

  mutating func append(_ chunk: [UInt8]) {
    var kept = position
    if case .feature(let start, let line) = place {
      kept = start
      place = .feature(start: 0, line: line)
    }
    bytes.removeSubrange(..<kept)
    position -= kept
    bytes.append(contentsOf: chunk)
  }

  /// The next piece; `nil` if it is not complete yet, or, at the end, if there is none.
  ///
  /// - Parameter isEnd: whether all bytes of the file have been appended.
  /// - Throws: ``UnusableFile`` for a file that is not a FeatureCollection.
  mutating func next(isEnd: Bool) throws(UnusableFile) -> RecordBuffer.Piece? {
    while position < bytes.count {
      switch place {
      case .outside: try enter()
      case .members: try passMember()
      case .list: if let piece = passSeparator() { return piece }
      case .feature(let start, let line): if let piece = passFeature(start, line) { return piece }
      case .lost: guard findFeature(isEnd: isEnd) else { return nil }
      case .over: position = bytes.count
      }
    }
    return isEnd ? try rest() : nil
  }

  /// The last piece: an error if the file ends within a feature or the list.
  private mutating func rest() throws(UnusableFile) -> RecordBuffer.Piece? {
    switch place {
    case .outside, .members:
      throw UnusableFile(reason: "it has no list of features, so it is no GeoJSON FeatureCollection")
    case .list:
      place = .over
      return bad("the file ends before its list of features does", line)
    case .feature(let start, let line):
      // A bracket may be missing: complete features may follow within the unfinished one.
      lose(after: start, line)
      return bad("the file ends in the middle of it", line)
    case .lost, .over: return nil
    }
  }

  private mutating func enter() throws(UnusableFile) {
    guard skipSpace(), let byte = take() else { return }
    guard byte == UInt8(ascii: "{") else { throw UnusableFile(reason: "it does not begin with {, so it is no GeoJSON") }
    place = .members(name: nil)
    scan = BracketScan()
  }

  /// Skips the collection's members until the list of features begins.
  private mutating func passMember() throws(UnusableFile) {
    guard case .members(let name) = place, let byte = take() else { return }
    let wasText = scan.isText
    let depth = scan.depth
    guard scan.take(byte) == nil, depth < Self.deepest else {
      throw UnusableFile(reason: "what stands before its list of features cannot be read")
    }
    if scan.depth < 0 {
      throw UnusableFile(reason: "it has no list of features, so it is no GeoJSON FeatureCollection")
    }
    guard depth == 0 else { return }
    switch (byte, wasText, scan.isText) {
    case (_, true, true): place = .members(name: name.map { $0.count < 16 ? $0 + [byte] : $0 })
    // A name, or a string as a value: the comma or colon after it distinguishes them.
    case (_, false, true): place = .members(name: [])
    case (UInt8(ascii: "["), false, false) where name == Array("features".utf8):
      place = .list
      scan = BracketScan()
    case (UInt8(ascii: ","), false, false): place = .members(name: nil)
    default: break
    }
  }

  /// Moves to the next feature, or to the end of the list.
  private mutating func passSeparator() -> RecordBuffer.Piece? {
    guard skipSpace() else { return nil }
    let start = position
    switch take() {
    case UInt8(ascii: ","): return nil
    case UInt8(ascii: "]"):
      place = .lost
      return nil
    case UInt8(ascii: "{"):
      place = .feature(start: start, line: line)
      scan = BracketScan(depth: 1)
      return nil
    default:
      place = .lost
      return bad("it does not begin with {", line)
    }
  }

  /// Moves to the end of the feature.
  private mutating func passFeature(_ start: Int, _ first: Int) -> RecordBuffer.Piece? {
    var (scan, position, line) = (scan, position, line)
    defer { (self.scan, self.position, self.line) = (scan, position, line) }
    let (longest, end) = (longest, min(bytes.count, start + longest))
    let reason: String? = bytes.withUnsafeBufferPointer { bytes in
      while position < end {
        let byte = bytes[position]
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        if let flaw = scan.take(byte) { return flaw }
        if scan.depth > Self.deepest { return "it has more than \(Self.deepest) brackets within each other" }
        if scan.depth == 0 { return nil }
      }
      return position - start >= longest ? "it is longer than \(longest) bytes" : nil
    }
    if let reason {
      lose(after: start, first)
      (scan, position, line) = (self.scan, self.position, self.line)
      return bad(reason, first)
    }
    guard scan.depth == 0 else { return nil }
    if FeatureBeginning.isWithin(bytes[start..<position]) {
      // The brackets of two broken features only seem to match.
      lose(after: start, first)
      (position, line) = (self.position, self.line)
      return bad("another feature begins within it", first)
    }
    place = .list
    guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
      return bad("it is not in UTF-8", first)
    }
    return RecordBuffer.Piece(line: first, content: .record(text))
  }

  /// Searches for another feature after the bracket at `start`.
  private mutating func lose(after start: Int, _ line: Int) {
    place = .lost
    position = start + 1
    self.line = line
  }

  /// Moves to the next beginning of a feature, `{"type": "Feature"`; false if more bytes are needed.
  private mutating func findFeature(isEnd: Bool) -> Bool {
    while let bracket = bytes[position...].place(of: UInt8(ascii: "{")) {
      pass(to: bracket)
      switch FeatureBeginning.isThere(bytes[bracket...]) {
      case .some(true):
        place = .list
        return true
      case .none where !isEnd: return false
      default: pass(to: bracket + 1)
      }
    }
    pass(to: bytes.count)
    return true
  }

  /// Moves to a position, counting lines.
  private mutating func pass(to end: Int) {
    while let newline = bytes[position..<end].place(of: UInt8(ascii: "\n")) {
      line += 1
      position = newline + 1
    }
    position = end
  }

  private func bad(_ reason: String, _ line: Int) -> RecordBuffer.Piece {
    RecordBuffer.Piece(line: line, content: .bad(reason))
  }

  private mutating func take() -> UInt8? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  /// Skips white space; false if the buffer ends.
  private mutating func skipSpace() -> Bool {
    while position < bytes.count, JSONSpace.contains(bytes[position]) { _ = take() }
    return position < bytes.count
  }
}

/// White space in JSON.
enum JSONSpace {
  static func contains(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}

extension ArraySlice<UInt8> {
  /// The first index of a byte; much faster than a loop over the bytes.
  fileprivate func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { all in
      guard let base = all.baseAddress, let found = memchr(base, Int32(byte), all.count) else { return nil }
      return startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

/// The nesting depth at a position of a JSON text, and whether it is within a string.
private struct BracketScan {
  private(set) var depth: Int
  private(set) var isText = false
  private var isEscaped = false
  /// A bit for each open bracket, the innermost the lowest; set for a square bracket.
  private var kinds: UInt64 = 0

  /// Starts within `depth` curly brackets.
  init(depth: Int = 0) { self.depth = depth }

  /// Consumes the next byte; returns the error, if it is one.
  mutating func take(_ byte: UInt8) -> String? {
    if isText { return takeOfText(byte) }
    switch byte {
    case UInt8(ascii: "\""): isText = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      kinds = kinds << 1 | (byte == UInt8(ascii: "[") ? 1 : 0)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      let isSquare = kinds & 1 == 1
      depth -= 1
      kinds >>= 1
      if isSquare != (byte == UInt8(ascii: "]")) { return "its brackets do not fit" }
    default: break
    }
    return nil
  }

  private mutating func takeOfText(_ byte: UInt8) -> String? {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isText = false
    }
    // A JSON string must not contain a line feed.
    return byte == UInt8(ascii: "\n") ? "a line ends within a text" : nil
  }
}

/// The beginning of a feature as programs write it: with its type first.
private enum FeatureBeginning {
  /// More white space between two tokens is not searched.
  private static let maxSpace = 256

  /// Whether a feature begins anywhere after the first byte.
  static func isWithin(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes.dropFirst()
    while let bracket = rest.place(of: UInt8(ascii: "{")) {
      if isThere(rest[bracket...]) == true { return true }
      rest = rest[(bracket + 1)...]
    }
    return false
  }

  /// Whether `bytes` begin with a feature; `nil` if there are too few to decide.
  static func isThere(_ bytes: ArraySlice<UInt8>) -> Bool? {
    var rest = bytes.dropFirst()
    for part in ["\"type\"", ":", "\"Feature\""] {
      let space = rest.prefix(maxSpace).prefix { JSONSpace.contains($0) }
      rest = rest.dropFirst(space.count)
      let found = rest.prefix(part.utf8.count)
      guard part.utf8.starts(with: found) else { return false }
      guard found.count == part.utf8.count else { return nil }
      rest = rest.dropFirst(found.count)
    }
    return true
  }
}
