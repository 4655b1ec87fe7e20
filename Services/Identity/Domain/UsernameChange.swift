/// The effect of a username change on the old name ([ID-22]).
public enum UsernameChange: Sendable, Hashable {
  /// The new name is identical.
  case nothing
  /// The new name differs in case only: no name is given up.
  case respelling
  /// The new name is another one: the old one stays reserved for its owner.
  case replacement

  /// The effect of taking `new` instead of `old`.
  public static func of(_ old: String, to new: Username) -> UsernameChange {
    if old == new.spelling { return .nothing }
    return old.lowercased() == new.key ? .respelling : .replacement
  }
}
