/// A weight, to the gram.
public struct Weight: Sendable, Hashable, Comparable {
  /// More than 1,000 kg is refused.
  public static let maxGrams: Int32 = 1_000_000

  /// Not negative.
  public let grams: Int32

  /// The nearest whole gram; `nil` for a number that is negative, above 1,000 kg or not a number.
  public init?(kilograms: Double) {
    guard kilograms >= 0, kilograms <= Double(Self.maxGrams) / 1_000 else { return nil }
    grams = Int32((kilograms * 1_000).rounded())
  }

  /// A weight that was checked before it was stored.
  public init(stored grams: Int32) { self.grams = grams }

  public static let zero = Weight(stored: 0)

  public var kilograms: Double { Double(grams) / 1_000 }

  public static func < (one: Weight, other: Weight) -> Bool { one.grams < other.grams }
}
