/// A rating of a book: 1, not liked at all, to 5, liked very much ([CA-28]).
public struct Stars: Sendable, Hashable {
  /// 1 to 5.
  public let count: Int16

  /// `nil` for anything but 1 to 5.
  public init?(_ count: some BinaryInteger) {
    guard let count = Int16(exactly: count), (1...5).contains(count) else { return nil }
    self.count = count
  }

  /// A rating that was checked before it was stored.
  public init(stored count: Int16) { self.count = count }
}

/// How much a reading counts when books are recommended to its reader ([CA-28]).
///
/// The model learns from all readings, whatever their rating: users choose what they read, and a disappointed reader chose the book for the
/// same taste. When books are recommended, the reader's own readings are weighted by rating. Of hidden books that were liked, as many are
/// found as with equal weights; of those that disappointed, half as many are recommended.
public enum ReadingWeight {
  /// A book that was borrowed and not rated: it was chosen, as a liked one was, and most users rate nothing.
  public static let unrated: Float = 1
  /// For 1 to 5 stars.
  public static let ofStars: [Float] = [0, 0, 0.75, 1, 1]

  /// The weight of a book with these stars, if any.
  public static func of(_ stars: Stars?) -> Float { stars.map { ofStars[Int($0.count) - 1] } ?? unrated }
}
