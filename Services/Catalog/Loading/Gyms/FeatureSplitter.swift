import Glibc

/// Cuts the features out of a GeoJSON FeatureCollection (RFC 7946), however its bytes arrive, and holds no more than one of them and a chunk.
struct FeatureSplitter: RecordSplitter {
  private enum Place {
    /// Before the collection's bracket.
    case outside
    /// Among the collection's members; `name` is that of the member whose value comes.
    case members(name: [UInt8]?)
    /// Between features.
    case list
    /// In a feature that began at `start`.
    case feature(start: Int, line: Int)
    /// Behind something bad, or behind the list's end, which a bracket too many may only seem to be: looking for the beginning of a feature.
    case lost
    /// Behind everything.
    case over
  }

  /// More brackets within each other are bad: a polygon has four beneath its feature, and tags one or two.
  private static let deepest = 32

  private let longest: Int
  private var place = Place.outside
  private var bytes: [UInt8] = []
  /// The next byte to look at.
  private var position = 0
  private var line = 1
  private var scan = BracketScan()

  /// - Parameter longest: bytes of a feature at most; a longer one is bad, and is not kept while it is passed over.
  init(longest: Int) { self.longest = longest }

  /// What it holds, for tests.
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

  /// The next piece; `nil` when its end has not come yet, or, at the end, when there is none.
  ///
  /// - Parameter isEnd: whether no more bytes come.
  /// - Throws: ``UnusableFile`` for a file that is no FeatureCollection.
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

  /// What is said at the end of the file.
  private mutating func rest() throws(UnusableFile) -> RecordBuffer.Piece? {
    switch place {
    case .outside, .members:
      throw UnusableFile(reason: "it has no list of features, so it is no GeoJSON FeatureCollection")
    case .list:
      place = .over
      return bad("the file ends before its list of features does", line)
    case .feature(let start, let line):
      // Perhaps a bracket was missing and what it swallowed is whole.
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

  /// Goes on within the collection's members until the list of features begins.
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
    // A name or a text as a value: what it is a comma or a colon tells.
    case (_, false, true): place = .members(name: [])
    case (UInt8(ascii: "["), false, false) where name == Array("features".utf8):
      place = .list
      scan = BracketScan()
    case (UInt8(ascii: ","), false, false): place = .members(name: nil)
    default: break
    }
  }

  /// Goes on to the next feature, or to the end of the list.
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

  /// Goes on to the end of the feature.
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
      // The brackets of both only happen to fit.
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

  /// Looks behind the bracket at `start` for another feature.
  private mutating func lose(after start: Int, _ line: Int) {
    place = .lost
    position = start + 1
    self.line = line
  }

  /// Goes on to the next beginning of a feature, `{"type": "Feature"`; false when its end has not come.
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

  /// Goes on to a place, counting lines.
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

  /// Passes over white space; false when nothing is behind it yet.
  private mutating func skipSpace() -> Bool {
    while position < bytes.count, JSONSpace.contains(bytes[position]) { _ = take() }
    return position < bytes.count
  }
}

/// What JSON takes for white space.
enum JSONSpace {
  static func contains(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}

extension ArraySlice<UInt8> {
  /// Where a byte is first; much faster than a loop over the bytes.
  fileprivate func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { all in
      guard let base = all.baseAddress, let found = memchr(base, Int32(byte), all.count) else { return nil }
      return startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

/// How deep in brackets a place of a JSON text is, and whether within a text.
private struct BracketScan {
  private(set) var depth: Int
  private(set) var isText = false
  private var isEscaped = false
  /// A bit for each open bracket, the innermost's the lowest: whether it is square.
  private var kinds: UInt64 = 0

  /// Within so many curly brackets.
  init(depth: Int = 0) { self.depth = depth }

  /// Takes the next byte; gives what is wrong with it.
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
    // JSON has none there.
    return byte == UInt8(ascii: "\n") ? "a line ends within a text" : nil
  }
}

/// How programs begin a feature: with its type.
private enum FeatureBeginning {
  /// More white space between two signs is not looked at.
  private static let maxSpace = 256

  /// Whether behind their first byte a feature begins.
  static func isWithin(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes.dropFirst()
    while let bracket = rest.place(of: UInt8(ascii: "{")) {
      if isThere(rest[bracket...]) == true { return true }
      rest = rest[(bracket + 1)...]
    }
    return false
  }

  /// Whether `bytes` begin with a feature; `nil` when there are too few to tell.
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
