/// For how long a server has answered nothing. It counts looks, not time: a process that was stopped itself has missed
/// nothing.
struct Silence {
  /// The time between two looks.
  static let interval = Duration.seconds(1)

  /// Whether a look is due.
  var isWatched = false
  /// Results received so far.
  var results: UInt64 = 0
  private var seen: UInt64 = 0
  /// Looks since the last result.
  var looks = 0

  /// Notes a look; whether no result has come for `limit`.
  mutating func lasts(_ limit: Duration) -> Bool {
    looks = results == seen ? looks + 1 : 0
    seen = results
    return Self.interval * looks >= limit
  }
}
