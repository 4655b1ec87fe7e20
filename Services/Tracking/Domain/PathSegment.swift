import Geography
import Identifiers

/// Positions of a path between which the user was never out of sight ([TR-11]).
public struct PathSegment: Sendable, Hashable {
  /// In the order of their times; never empty.
  public private(set) var fixes: [Fix]
  /// Whether it goes on from the fix before it.
  public let continues: Bool

  /// The segments of fixes that are in the order of their times.
  ///
  /// A user is out of sight for longer than ``Tracker/silence``, after which others are told that the user went offline ([TR-10]).
  ///
  /// - Parameter last: the fix before the first of these.
  public static func segments(of fixes: [Fix], after last: Fix?) -> [PathSegment] {
    var segments: [PathSegment] = []
    var before = last
    for fix in fixes {
      let continues = before.map { fix.time - $0.time <= Tracker.silence } ?? false
      before = fix
      if segments.isEmpty || !continues {
        segments.append(PathSegment(fixes: [fix], continues: continues))
      } else {
        segments[segments.count - 1].fixes.append(fix)
      }
    }
    return segments
  }

  /// Leaves out fixes that its line hardly needs; its ends stay.
  public mutating func simplify(to tolerance: Metres) { fixes = simplified(to: tolerance) }

  /// The fixes that stay when it is simplified; its ends are among them.
  public func simplified(to tolerance: Metres) -> [Fix] {
    PathSimplification.places(of: fixes.map(\.point), tolerance: tolerance).map { fixes[$0] }
  }
}
