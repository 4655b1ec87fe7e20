/// How much may be stored of a user in conversations.
public enum MessageStorage {
  /// Messages that a user sends, deleted ones included, whose numbers stay: a hundred a day for 27 years.
  public static let maxMessages: Int64 = 1_000_000
  /// Bytes of their texts, in UTF-8.
  public static let maxBytes: Int64 = 256 << 20
  /// Pictures that a user uploaded, those of deleted messages not included.
  public static let maxPictures: Int64 = 10_000

  /// What there would be too much of.
  public enum Excess: String, Sendable {
    case messages
    case bytes
    case pictures

    /// The most that may be stored.
    public var limit: Int64 {
      switch self {
      case .messages: maxMessages
      case .bytes: maxBytes
      case .pictures: maxPictures
      }
    }
  }

  /// Whether so many bytes more than the user's messages have may be stored.
  public static func checkGrowth(by growth: Int64, of bytes: Int64) throws(ChatRefusal) {
    guard growth <= 0 || bytes + growth <= maxBytes else { throw .storageExceeded(.bytes) }
  }

  /// Whether a user who has so many may upload another picture.
  public static func checkPictures(_ pictures: Int64) throws(ChatRefusal) {
    guard pictures < maxPictures else { throw .storageExceeded(.pictures) }
  }
}
