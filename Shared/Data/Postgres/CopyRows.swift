/// Rows for a COPY in PostgreSQL's text format (PostgreSQL manual, COPY, "Text Format").
public struct CopyRows: Sendable {
  /// The completed rows, and the beginning of the next.
  public private(set) var bytes: [UInt8] = []
  private var isFirst = true

  public init() {}

  /// Appends a text, which must not contain a NUL; `nil` is null.
  public mutating func append(_ text: String?) {
    separate()
    guard var text else { return bytes.append(contentsOf: #"\N"#.utf8) }
    text.withUTF8 { text in
      if text.contains(where: Self.isSpecial) {
        for byte in text { appendEscaped(byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
  }

  /// Appends a number; `nil` is null.
  public mutating func append(_ number: Int64?) {
    append(number.map { String($0) })
  }

  /// Appends an array of texts, none of which may contain a NUL.
  public mutating func append(_ list: [String]) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    for (place, text) in list.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        // The escapes of an array are escaped again in the row.
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(contentsOf: #"\\"#.utf8) }
        appendEscaped(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Ends the row.
  public mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  /// Removes all rows, and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    isFirst = true
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: "\t")) }
    isFirst = false
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
    case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
    case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
    default: bytes.append(byte)
    }
  }
}
