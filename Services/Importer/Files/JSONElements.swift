import FileContents

/// The elements of a JSON document as it arrives: those of its list, or of the lists that are members of its object.
///
/// It finds only where each ends, and leaves what is in it to `JSONValue`: so that a broken element spoils no other, and no more than one is
/// in memory.
package struct JSONElements<Source: ByteSource> {
  package struct Element: Equatable {
    /// The name of the member whose list it is in; empty for the list that is the document.
    package let list: String
    /// From 0.
    package let index: Int
    /// `nil` if there are more than an element may have.
    package let bytes: [UInt8]?
  }

  private enum Place {
    case start
    /// In a list, before the element with the index.
    case list(String, Int)
    /// In the object, before a member.
    case object
    case end
  }

  private var source: Source
  /// The members of an object whose lists are wanted.
  private let wanted: Set<String>
  private let maxElement: Int
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var (offset, filled) = (0, 0)
  /// Bytes before those in the buffer.
  private var passed = 0
  private var line = 1
  private var place = Place.start
  private var isInObject = false

  /// - Parameters:
  ///   - lists: the members of the document's object whose elements are wanted; those of a list that is the document always are.
  ///   - maxElement: bytes of an element; of longer ones only the end is looked for.
  package init(_ source: Source, lists: Set<String>, maxElement: Int = FileLimits.elementBytes) {
    (self.source, wanted, self.maxElement) = (source, lists, maxElement)
  }

  /// The next element; `nil` at the end of the document.
  package mutating func next() throws(ActivityFileFault) -> Element? {
    while true {
      switch place {
      case .start: try begin()
      case .list(let name, let index):
        if let element = try element(of: name, index) { return element }
      case .object: try member()
      case .end:
        try skipBlanks()
        guard try peek() == nil else { throw fault("Something follows the document") }
        return nil
      }
    }
  }

  private mutating func begin() throws(ActivityFileFault) {
    for byte: UInt8 in [0xEF, 0xBB, 0xBF] { if try peek() == byte { offset += 1 } }
    try skipBlanks()
    switch try peek() {
    case UInt8(ascii: "["): place = .list("", 0)
    case UInt8(ascii: "{"):
      place = .object
      isInObject = true
    default: throw fault("The document is no JSON")
    }
    offset += 1
  }

  private mutating func element(of name: String, _ index: Int) throws(ActivityFileFault) -> Element? {
    try skipSeparators()
    switch try peek() {
    case nil: throw fault("The document ends in its middle")
    case UInt8(ascii: "]"):
      offset += 1
      place = isInObject ? .object : .end
      return nil
    case UInt8(ascii: "}"): throw fault("A list ends like an object")
    case UInt8(ascii: ":"): throw fault("A list has members")
    default:
      let bytes = try value(keeping: maxElement)
      place = .list(name, index + 1)
      return Element(list: name, index: index, bytes: bytes)
    }
  }

  private mutating func member() throws(ActivityFileFault) {
    try skipSeparators()
    switch try peek() {
    case nil: throw fault("The document ends in its middle")
    case UInt8(ascii: "}"):
      offset += 1
      place = .end
    default:
      let name = try self.name()
      try skipBlanks()
      guard try peek() == UInt8(ascii: ":") else { throw fault("A member has no value") }
      offset += 1
      try skipBlanks()
      if wanted.contains(name), try peek() == UInt8(ascii: "[") {
        offset += 1
        place = .list(name, 0)
      } else {
        _ = try value(keeping: 0)
      }
    }
  }

  /// The name of a member, as it is written.
  private mutating func name() throws(ActivityFileFault) -> String {
    let bytes = try value(keeping: FileLimits.nameBytes) ?? []
    let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    let isQuoted = bytes.count > 1 && quotes.contains(bytes[0]) && bytes.last == bytes[0]
    return String(decoding: isQuoted ? bytes[1..<bytes.count - 1] : bytes[...], as: UTF8.self)
  }

  // MARK: Values

  /// Goes behind a value: to the bracket that closes its first one, or to what separates values.
  ///
  /// - Returns: its bytes; `nil` if they are more than `most`.
  private mutating func value(keeping most: Int) throws(ActivityFileFault) -> [UInt8]? {
    var (kept, count, open): ([UInt8], Int, OpenBrackets) = ([], 0, OpenBrackets())
    func keep(_ byte: UInt8) {
      count += 1
      if count <= most { kept.append(byte) }
    }
    while let byte = try peek() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        try passText(byte, keep)
        if open.isEmpty { return count <= most ? kept : nil }
        continue
      case UInt8(ascii: "/"):
        if try !skipComment() { keep(byte) }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.begin(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // One that closes nothing of the value closes what the value is in.
        guard open.end(byte) else { return count <= most ? kept : nil }
        if open.isEmpty {
          keep(byte)
          offset += 1
          return count <= most ? kept : nil
        }
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
        if open.isEmpty { return count <= most ? kept : nil }
        if byte == 0x0A { line += 1 }
      default: break
      }
      keep(byte)
      offset += 1
    }
    throw fault("The document ends in its middle")
  }

  /// Goes behind a text, from its first quotation mark to its last.
  private mutating func passText(_ quote: UInt8, _ keep: (UInt8) -> Void) throws(ActivityFileFault) {
    keep(quote)
    offset += 1
    var isEscaped = false
    while let byte = try peek() {
      keep(byte)
      offset += 1
      if byte == 0x0A { line += 1 }
      if byte == quote, !isEscaped { return }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    throw fault("The document ends in its middle")
  }

  // MARK: Between values

  private mutating func skipBlanks() throws(ActivityFileFault) {
    while let byte = try peek() {
      switch byte {
      case 0x0A:
        line += 1
        offset += 1
      case 0x20, 0x09, 0x0D: offset += 1
      case UInt8(ascii: "/"): guard try skipComment() else { throw fault("The document is no JSON") }
      default: return
      }
    }
  }

  private mutating func skipSeparators() throws(ActivityFileFault) {
    try skipBlanks()
    while try peek() == UInt8(ascii: ",") {
      offset += 1
      try skipBlanks()
    }
  }

  /// Goes behind a comment; false, a byte further, if there is none.
  private mutating func skipComment() throws(ActivityFileFault) -> Bool {
    offset += 1
    switch try peek() {
    case UInt8(ascii: "/"):
      while let byte = try peek(), byte != 0x0A { offset += 1 }
      return true
    case UInt8(ascii: "*"):
      offset += 1
      var isStar = false
      while let byte = try peek() {
        offset += 1
        if byte == 0x0A { line += 1 }
        if isStar, byte == UInt8(ascii: "/") { return true }
        isStar = byte == UInt8(ascii: "*")
      }
      throw fault("The document ends in its middle")
    default: return false
    }
  }

  // MARK: Bytes

  /// The next byte, which stays; `nil` at the end.
  @inline(__always)
  private mutating func peek() throws(ActivityFileFault) -> UInt8? {
    if offset < filled { return buffer[offset] }
    return try refilled()
  }

  private mutating func refilled() throws(ActivityFileFault) -> UInt8? {
    passed += filled
    (offset, filled) = (0, 0)
    filled = try source.fill(&buffer, from: 0)
    return filled > 0 ? buffer[0] : nil
  }

  private func fault(_ message: String) -> ActivityFileFault {
    ActivityFileFault(.broken, message, offset: passed + offset, line: line)
  }
}

/// The brackets of a value that are not closed yet.
private struct OpenBrackets {
  /// The first ones, of which the kind is known.
  private var kinds: [UInt8] = []
  /// How many more there are.
  private var deeper = 0

  /// More than a value may have that is read.
  private static let maxCount = 64

  var isEmpty: Bool { kinds.isEmpty }

  mutating func begin(_ bracket: UInt8) {
    if kinds.count < Self.maxCount { kinds.append(bracket) } else { deeper += 1 }
  }

  /// Closes the last one of the kind, with those in it that were never closed; false if there is none.
  mutating func end(_ bracket: UInt8) -> Bool {
    if deeper > 0 {
      deeper -= 1
      return true
    }
    // `[` and `]`, `{` and `}` are two apart.
    guard let last = kinds.lastIndex(of: bracket - 2) else { return false }
    kinds.removeSubrange(last...)
    return true
  }
}
