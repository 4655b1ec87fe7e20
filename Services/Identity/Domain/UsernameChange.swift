/// What becomes of a username for which its owner wants another one ([ID-22]).
public enum UsernameChange: Sendable, Hashable {
  /// It is the same name, written the same way.
  case nothing
  /// It is the same name in other letters: nothing is given up.
  case respelling
  /// It is another name: the old one stays reserved for its owner.
  case replacement

  /// Decides what taking `new` instead of `old` is.
  public static func of(_ old: String, to new: Username) -> UsernameChange {
    if old == new.spelling { return .nothing }
    return old.lowercased() == new.key ? .respelling : .replacement
  }
}
