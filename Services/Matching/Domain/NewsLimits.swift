import Identifiers

/// How much one user may have others notified of ([MA-16]): what happens to a person, not what a program can make happen.
///
/// The numbers are of a ``window`` that begins with the first of what is counted, except ``maxOpenPosts``.
public enum NewsLimits {
  public static let window = Duration.seconds(86_400)
  /// Joins, of each of which the poster is notified; one more is refused. A cancellation is notified, too, and takes a join or a post.
  public static let maxJoins: Int32 = 20
  /// Posts; one more is refused.
  public static let maxPosts: Int32 = 60
  /// Posts of which users with saved searches are notified; others are found by browsing.
  public static let maxPostsTold: Int32 = 20
  /// Unmatched posts of a user that are yet to start.
  public static let maxOpenPosts: Int64 = 30

  /// Whether a user may post a session beside so many unmatched ones.
  public static func admits(openPosts: Int64) -> Bool { openPosts < maxOpenPosts }

  /// How long to wait after so many joins; `nil` if they are allowed.
  public static func wait(joins: Int32, since start: Instant, at now: Instant) -> Duration? {
    joins > maxJoins ? max(.zero, start + window - now) : nil
  }

  /// How long to wait after so many posts; `nil` if they are allowed.
  public static func wait(posts: Int32, since start: Instant, at now: Instant) -> Duration? {
    posts > maxPosts ? max(.zero, start + window - now) : nil
  }
}

/// How long what users did is kept ([MA-16]).
public enum MatchingRetention {
  /// Sessions that are over, who took part in them, and the feedback on them: longer than any question about them. What they
  /// count in reputations stays.
  public static let sessions = Duration.seconds(731 * 86_400)
}
