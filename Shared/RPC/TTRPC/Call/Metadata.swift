/// Names and values that are sent with a call, beside its message.
///
/// Names are compared without case; several values of one name are several pairs, in order.
public struct Metadata: Sendable, ExpressibleByDictionaryLiteral {
  /// A name with one of its values.
  public struct Pair: Sendable, Equatable {
    /// The name as it was sent; compared without case.
    public var name: String
    /// Any text.
    public var value: String

    @inlinable
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Bytes of memory that a pair takes beside its text: the two strings, and the overhead of their storage where that
  /// is long.
  @inlinable
  package static var pairSize: Int { MemoryLayout<Pair>.stride + 96 }

  private enum Storage: Sendable {
    case texts([Pair])
    case received(ReceivedPairs)
  }

  private var storage: Storage

  /// No pairs.
  public init() {
    storage = .texts([])
  }

  /// The pairs in the order of the literal; a name may repeat.
  public init(dictionaryLiteral elements: (String, String)...) {
    storage = .texts(elements.map { Pair(name: $0, value: $1) })
  }

  /// The metadata received with a call: at least one pair.
  package init(received pairs: ReceivedPairs) {
    storage = .received(pairs)
  }

  /// Every pair, in the order of the wire.
  public var pairs: [Pair] {
    switch storage {
    case .texts(let pairs): pairs
    case .received(let pairs): pairs.texts
    }
  }

  /// Whether there is no pair.
  public var isEmpty: Bool {
    switch storage {
    case .texts(let pairs): pairs.isEmpty
    case .received: false
    }
  }

  /// Adds a value, after those that the name has already.
  public mutating func append(_ name: String, _ value: String) {
    var pairs = pairs
    storage = .texts([])
    pairs.append(Pair(name: name, value: value))
    storage = .texts(pairs)
  }

  /// The name's first value; `nil` when there is none.
  public subscript(name: String) -> String? {
    switch storage {
    case .texts(let pairs): pairs.first { Self.areSame($0.name, name) }?.value
    case .received(let pairs): pairs.withFirst(name, ReceivedPairs.text)
    }
  }

  /// All of the name's values, in order.
  public func values(of name: String) -> [String] {
    pairs.filter { Self.areSame($0.name, name) }.map(\.value)
  }

  /// Whether the name has a value.
  package func has(_ name: String) -> Bool {
    switch storage {
    case .texts(let pairs): pairs.contains { Self.areSame($0.name, name) }
    case .received(let pairs): pairs.withFirst(name) { _ in true } ?? false
    }
  }

  /// The access token of the call: `authorization` without its scheme, whose case is ignored (RFC 9110, section 11.1);
  /// `nil` when there is none.
  public var bearerToken: Substring? {
    switch storage {
    case .texts:
      guard let header = self["authorization"], Self.isBearer(header.utf8) else { return nil }
      return Substring(header.utf8.dropFirst(Self.bearer.count))
    case .received(let pairs):
      // A string of its own, which its verifier need not copy.
      return pairs.withFirst("authorization") { header in
        guard Self.isBearer(header) else { return nil }
        let token = UnsafeRawBufferPointer(rebasing: header[Self.bearer.count...])
        return ReceivedPairs.text(token)[...]
      }
    }
  }

  private static let bearer = Array("Bearer ".utf8)

  /// Whether a value of `authorization` begins with the scheme `bearer`, in any case, and a space.
  private static func isBearer(_ header: some Collection<UInt8>) -> Bool {
    header.count >= bearer.count && areSame(header.prefix(bearer.count), bearer)
  }

  private static func areSame(_ a: String, _ b: String) -> Bool {
    // Nearly always the names are spelled alike, and texts of different lengths are never the same name.
    a == b || a.utf8.count == b.utf8.count && areSame(a.utf8, b.utf8)
  }

  /// Whether two names of the same length are equal without case.
  static func areSame(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool {
    zip(a, b).allSatisfy { $0 == $1 || lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}

extension Metadata: Equatable {
  /// Whether both have the same pairs in the same order, names with the same case.
  public static func == (a: Metadata, b: Metadata) -> Bool { a.pairs == b.pairs }
}
