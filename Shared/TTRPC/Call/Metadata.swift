/// Names and values that travel with a call, beside its message.
///
/// Names are compared without case; several values of one name are several pairs, in order.
public struct Metadata: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// One name with one of its values.
  public struct Pair: Sendable, Equatable {
    /// As it was sent; case means nothing.
    public var name: String
    /// Any text.
    public var value: String

    /// A pair to send.
    @inlinable
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Every pair, in the order of the wire.
  public private(set) var pairs: [Pair]

  /// No pairs.
  public init() {
    pairs = []
  }

  /// The pairs in the order of the literal; a name may repeat.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0, value: $1) }
  }

  init(pairs: [Pair]) {
    self.pairs = pairs
  }

  /// Whether there is no pair.
  public var isEmpty: Bool { pairs.isEmpty }

  /// Adds a value, after those that the name has already.
  public mutating func append(_ name: String, _ value: String) {
    pairs.append(Pair(name: name, value: value))
  }

  /// The name's first value; `nil` when there is none.
  public subscript(name: String) -> String? {
    for pair in pairs where Self.areSame(pair.name, name) { return pair.value }
    return nil
  }

  /// All of the name's values, in order.
  public func values(of name: String) -> [String] {
    pairs.filter { Self.areSame($0.name, name) }.map(\.value)
  }

  /// The access token that comes along, `authorization` without its scheme; `nil` when there is none.
  public var bearerToken: Substring? {
    guard let header = self["authorization"], header.hasPrefix(Self.bearer) else { return nil }
    return Substring(header.utf8.dropFirst(Self.bearer.utf8.count))
  }

  private static let bearer = "Bearer "

  private static func areSame(_ a: String, _ b: String) -> Bool {
    // Nearly always the names are written alike, and texts of different lengths never are the same name.
    guard a != b else { return true }
    return a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
