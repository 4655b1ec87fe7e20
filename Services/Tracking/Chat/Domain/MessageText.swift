public import VisibleText

public enum MessageTextLimit: TextLimit {
  public static let name = "The message"
  /// Code points ([TR-32]).
  public static let maxLength = 4_000
  public static let lines = TextLines.several
  public static let strayMarks = StrayMarks.cleaned
}

/// The text of a message ([TR-32]).
public typealias MessageText = VisibleText<MessageTextLimit>

/// What is searched for: words, as a user types them.
public enum SearchWordsLimit: TextLimit {
  public static let name = "The query"
  /// Code points.
  public static let maxLength = 200
  public static let strayMarks = StrayMarks.cleaned
}

public typealias SearchWords = VisibleText<SearchWordsLimit>
