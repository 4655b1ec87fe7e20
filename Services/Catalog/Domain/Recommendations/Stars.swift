/// How somebody liked a book: 1, not at all, to 5, very much ([CA-28]).
public struct Stars: Sendable, Hashable {
  /// 1 to 5.
  public let count: Int16

  /// `nil` for anything but 1 to 5.
  public init?(_ count: some BinaryInteger) {
    guard let count = Int16(exactly: count), (1...5).contains(count) else { return nil }
    self.count = count
  }

  /// A number that was 1 to 5 when it was stored.
  public init(stored count: Int16) { self.count = count }
}

/// How much a book that somebody read says about which others they would like ([CA-28]).
///
/// Who reads what is learnt from everybody who read a book, whatever they thought of it: users choose what they read, and who was disappointed
/// chose it for the same taste. What their own books say about what to read next is weighed by how they liked those. Of hidden books that were
/// liked, as many are found as if all weighed the same; of those that disappointed, half as many are recommended.
public enum ReadingWeight {
  /// Of a book that was borrowed and not rated: it was chosen, like one that was liked, and most users rate nothing.
  public static let unrated: Float = 1
  /// Of 1 to 5 stars.
  public static let ofStars: [Float] = [0, 0, 0.75, 1, 1]

  /// Of a book with these stars, if any.
  public static func of(_ stars: Stars?) -> Float { stars.map { ofStars[Int($0.count) - 1] } ?? unrated }
}
