public import VisibleText

public enum ReturnCommentLimit: TextLimit {
  public static let name = "The comment"
  /// Code points: as many as a comment in the catalog may have.
  public static let maxLength = 2_000
  public static let lines = TextLines.several
}

/// A borrower's comment on a return ([LE-10]).
public typealias ReturnComment = VisibleText<ReturnCommentLimit>
