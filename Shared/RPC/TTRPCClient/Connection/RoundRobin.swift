/// Members that are taken in turn.
struct RoundRobin<Member> {
  /// The members; when they change, the turns continue from about the same place.
  var members: [Member] = []
  private var turn = 0

  init(_ members: [Member] = []) {
    self.members = members
  }

  /// The next member that is `eligible`; `nil` when none is.
  mutating func next(where eligible: (Member) -> Bool) -> Member? {
    for _ in members.indices {
      turn = turn + 1 < members.count ? turn + 1 : 0
      if eligible(members[turn]) { return members[turn] }
    }
    return nil
  }
}
