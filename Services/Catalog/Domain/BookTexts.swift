public import VisibleText

public enum TitleLimit: TextLimit {
  public static let name = "The title"
  /// Code points.
  public static let most = 500
}

public enum AuthorLimit: TextLimit {
  public static let name = "The author"
  /// Code points.
  public static let most = 200
}

/// The limit of an owner's description of a book.
public enum DescriptionLimit: TextLimit {
  public static let name = "The description"
  /// Code points.
  public static let most = 5_000
  public static let lines = TextLines.several
}

public enum CommentLimit: TextLimit {
  public static let name = "The comment"
  /// Code points.
  public static let most = 2_000
  public static let lines = TextLines.several
}

public enum LanguageLimit: TextLimit {
  public static let name = "The language"
  /// Code points.
  public static let most = 35
}

public typealias Title = VisibleText<TitleLimit>
public typealias AuthorName = VisibleText<AuthorLimit>
/// An owner's description of a book.
public typealias BookDescription = VisibleText<DescriptionLimit>
/// A user's comment on a book.
public typealias CommentText = VisibleText<CommentLimit>
/// The language of an edition, as the user or the source spells it.
public typealias LanguageName = VisibleText<LanguageLimit>
