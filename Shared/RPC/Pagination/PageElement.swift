import Identifiers

/// A key of a list's order, as a page token encodes it.
public protocol PageElement: Sendable {
  /// Appends the value's bytes.
  func write(to bytes: inout [UInt8])
  /// Takes the value off the beginning of `bytes`; `nil` when they do not begin with one.
  init?(from bytes: inout ArraySlice<UInt8>)
}

extension Int64: PageElement {
  /// Eight bytes, big-endian.
  public func write(to bytes: inout [UInt8]) { withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) } }

  public init?(from bytes: inout ArraySlice<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    self = Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    bytes = bytes.dropFirst(8)
  }
}

extension Double: PageElement {
  /// The bit pattern as eight bytes, big-endian.
  public func write(to bytes: inout [UInt8]) { Int64(bitPattern: bitPattern).write(to: &bytes) }

  public init?(from bytes: inout ArraySlice<UInt8>) {
    guard let bits = Int64(from: &bytes) else { return nil }
    self.init(bitPattern: UInt64(bitPattern: bits))
  }
}

extension String: PageElement {
  /// The length of its UTF-8, then that.
  public func write(to bytes: inout [UInt8]) {
    Int64(utf8.count).write(to: &bytes)
    bytes.append(contentsOf: utf8)
  }

  public init?(from bytes: inout ArraySlice<UInt8>) {
    guard let count = Int64(from: &bytes), count >= 0, count <= bytes.count else { return nil }
    guard let text = String(validating: bytes.prefix(Int(count)), as: UTF8.self) else { return nil }
    self = text
    bytes = bytes.dropFirst(Int(count))
  }
}

extension Instant: PageElement {
  /// Microseconds as eight bytes.
  public func write(to bytes: inout [UInt8]) { microseconds.write(to: &bytes) }

  public init?(from bytes: inout ArraySlice<UInt8>) {
    guard let microseconds = Int64(from: &bytes) else { return nil }
    self.init(microseconds: microseconds)
  }
}

extension UUID7: PageElement {
  /// Its sixteen bytes.
  public func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: self.bytes) }

  public init?(from bytes: inout ArraySlice<UInt8>) {
    guard let high = Int64(from: &bytes), let low = Int64(from: &bytes) else { return nil }
    self.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
  }
}

extension Identifier: PageElement {
  /// Its sixteen bytes.
  public func write(to bytes: inout [UInt8]) { uuid.write(to: &bytes) }

  public init?(from bytes: inout ArraySlice<UInt8>) {
    guard let uuid = UUID7(from: &bytes) else { return nil }
    self.init(uuid)
  }
}
