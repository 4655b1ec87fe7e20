/// Which users see each other, as SQL over the table `blocks` ([C-10]).
public enum Visibility {
  /// True where neither of two users has blocked the other, for a list of which each row has its own user.
  ///
  /// - Parameters:
  ///   - one: an expression for the id of the user to be seen, which may differ from row to row.
  ///   - viewer: a parameter: the users that `viewer` does not see are looked up once for the whole statement.
  public static func sql(_ one: String, _ viewer: String) -> String {
    """
    \(one) <> all(array(
      select blocked_id from blocks where blocker_id = \(viewer)
      union all
      select blocker_id from blocks where blocked_id = \(viewer)
    ))
    """
  }

  /// True where one of two users has blocked the other. The parameters are SQL expressions for users' ids; a null is no
  /// user.
  public static func isBlocked(_ one: String, _ other: String) -> String {
    """
    exists (
      select from blocks where (blocker_id = \(one) and blocked_id = \(other))
        or (blocker_id = \(other) and blocked_id = \(one))
    )
    """
  }
}
