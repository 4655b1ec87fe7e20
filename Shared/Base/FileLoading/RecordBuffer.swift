import Glibc

/// Splits the bytes of a file into records, whatever chunks they arrive in, and holds no more than one record and one
/// chunk.
package struct RecordBuffer: Sendable {
  /// What ends a record.
  package enum Ending: Sendable {
    /// The end of the line.
    case line
    /// The end of a line that is not within quotation marks (RFC 4180).
    case lineOutsideQuotes
  }

  /// A piece of the file.
  package struct Piece: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
      case record(String)
      /// Not a record; the reason is for the operator who loads the file.
      case bad(String)
    }

    /// Its first line, from 1.
    package let line: Int
    package let content: Content

    package init(line: Int, content: Content) {
      self.line = line
      self.content = content
    }
  }

  private let ending: Ending
  private let longest: Int
  private var bytes: [UInt8] = []
  /// Where the next record begins.
  private var start = 0
  /// How far the bytes have been scanned.
  private var scanned = 0
  private var isQuoted = false
  /// Line ends within the scanned bytes.
  private var innerLines = 0
  private var line = 1
  private var isSkipping = false

  /// - Parameter longest: bytes of a record at most; a longer one is bad, and is not held while it is skipped.
  package init(_ ending: Ending, longest: Int) {
    self.ending = ending
    self.longest = longest
  }

  /// The bytes held, for tests.
  package var held: Int { bytes.count }

  package mutating func append(_ chunk: [UInt8]) {
    bytes.removeSubrange(..<start)
    scanned -= start
    start = 0
    bytes.append(contentsOf: chunk)
  }

  /// The next piece; `nil` when its end has not arrived yet.
  ///
  /// - Parameter isEnd: whether no more bytes follow, so that the rest is a record.
  package mutating func next(isEnd: Bool) -> Piece? {
    while true {
      if isSkipping {
        guard skipLine(isEnd: isEnd) else { return nil }
        continue
      }
      guard let end = recordEnd() else { return rest(isEnd: isEnd) }
      let piece = piece(bytes[start..<end])
      advance(to: end + 1, lines: innerLines + 1)
      if let piece { return piece }
    }
  }

  /// What is left when no end of a record was found.
  private mutating func rest(isEnd: Bool) -> Piece? {
    let isTooLong = bytes.count - start > longest
    guard isTooLong || (isEnd && start < bytes.count) else { return nil }
    if isQuoted || isTooLong {
      // A quotation mark that is never closed must not swallow the rest of the file: the lines after it are scanned
      // again.
      // A single line that is too long is just that, whatever quotation marks it has.
      let isUnclosed = isQuoted && (!isTooLong || innerLines > 0)
      let reason = isUnclosed ? "a quotation mark is not closed" : "it is longer than \(longest) bytes"
      defer { isSkipping = true }
      return Piece(line: line, content: .bad(reason))
    }
    let piece = piece(bytes[start...])
    advance(to: bytes.count, lines: 1)
    return piece
  }

  /// Skips the line that began with a bad record; false when its end has not arrived.
  private mutating func skipLine(isEnd: Bool) -> Bool {
    guard let end = newline(from: start) else {
      bytes.removeAll(keepingCapacity: true)
      (start, scanned, isQuoted, innerLines) = (0, 0, false, 0)
      if isEnd { isSkipping = false }
      return false
    }
    isSkipping = false
    advance(to: end + 1, lines: 1)
    return true
  }

  private mutating func advance(to place: Int, lines: Int) {
    (start, scanned, isQuoted, innerLines) = (place, place, false, 0)
    line += lines
  }

  /// A record without its line break; `nil` for an empty line.
  private func piece(_ slice: ArraySlice<UInt8>) -> Piece? {
    let record = slice.last == UInt8(ascii: "\r") ? slice.dropLast() : slice
    if record.isEmpty { return nil }
    if record.count > longest {
      return Piece(line: line, content: .bad("it is longer than \(longest) bytes"))
    }
    guard let text = String(validating: record, as: UTF8.self) else {
      return Piece(line: line, content: .bad("it is not in UTF-8"))
    }
    return Piece(line: line, content: .record(text))
  }

  private mutating func recordEnd() -> Int? {
    switch ending {
    case .line:
      let end = newline(from: scanned)
      scanned = bytes.count
      return end
    case .lineOutsideQuotes:
      while scanned < bytes.count, scanned - start <= longest {
        let byte = bytes[scanned]
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: "\n") {
          if !isQuoted { return scanned }
          innerLines += 1
        }
        scanned += 1
      }
      return nil
    }
  }

  private func newline(from place: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, place < all.count,
        let found = memchr(base + place, Int32(UInt8(ascii: "\n")), all.count - place)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
