public import VisibleText

public enum TitleLimit: TextLimit {
  public static let name = "The title"
  /// Code points.
  public static let maxLength = 500
}

public enum AuthorLimit: TextLimit {
  public static let name = "The author"
  /// Code points.
  public static let maxLength = 200
}

/// The limit of an owner's description of a book.
public enum DescriptionLimit: TextLimit {
  public static let name = "The description"
  /// Code points.
  public static let maxLength = 5_000
  public static let lines = TextLines.several
}

public enum CommentLimit: TextLimit {
  public static let name = "The comment"
  /// Code points.
  public static let maxLength = 2_000
  public static let lines = TextLines.several
}

public enum LanguageLimit: TextLimit {
  public static let name = "The language"
  /// Code points.
  public static let maxLength = 35
}

public typealias Title = VisibleText<TitleLimit>
public typealias AuthorName = VisibleText<AuthorLimit>
/// An owner's description of a book.
public typealias BookDescription = VisibleText<DescriptionLimit>
/// A user's comment on a book.
public typealias CommentText = VisibleText<CommentLimit>
/// The language of an edition, as the user or the source spells it.
public typealias LanguageName = VisibleText<LanguageLimit>

extension BookDescription {
  /// The description of a book whose owner gives none ([CA-20]): its title, authors and year, as the record has them or else the owner.
  ///
  /// - Parameters:
  ///   - recorded: the authors of the record; empty without them.
  ///   - typed: those that the owner gave.
  ///   - year: negative for years BC; `nil` if it is not known.
  public init(of title: String, by recorded: [String], or typed: [String], year: Int32?) {
    let authors = recorded.isEmpty ? typed : recorded
    let by = authors.isEmpty ? "" : " by \(authors.joined(separator: ", "))"
    let published = year.map { $0 < 0 ? " (\(-$0) BC)" : " (\($0))" } ?? ""
    // A title and twenty names are within the limit.
    self.init(stored: "\(title)\(by)\(published)")
  }
}
