import Geography
import Identifiers

/// How far a user was from the destination at some moments of the last minutes, from which it is estimated when they arrive.
///
/// There is no route: how fast the distance became less counts, so that detours, and ways that are not straight, slow the estimate down.
public struct JourneyProgress: Sendable, Hashable {
  public struct Mark: Sendable, Hashable {
    public let time: Instant
    public let left: Metres

    public init(_ left: Metres, at time: Instant) { (self.left, self.time) = (left, time) }
  }

  /// At most ``maxMarks``, the oldest first; the last one is that of the newest position.
  public private(set) var marks: [Mark]

  private static let maxMarks = 16
  /// Of positions that follow each other sooner the newest stays.
  private static let spacing = Duration.seconds(20)
  /// What is older says nothing about how fast the user is.
  private static let oldest = Duration.seconds(900)
  /// A shorter time says nothing either.
  private static let shortest = Duration.seconds(60)
  /// Metres per second: who is slower does not get on.
  private static let slowest = 0.2
  /// The longest estimate, in seconds.
  private static let farthest = 86_400.0

  public init(_ marks: [Mark] = []) { self.marks = marks }

  /// Adds a position that is later than the others.
  public mutating func add(_ left: Metres, at time: Instant) {
    if marks.count >= 2, marks[marks.count - 1].time - marks[marks.count - 2].time < Self.spacing { marks.removeLast() }
    marks.append(Mark(left, at: time))
    let dropped = max(marks.count - Self.maxMarks, marks.firstIndex { time - $0.time <= Self.oldest } ?? 0)
    marks.removeFirst(max(0, dropped))
  }

  /// When the user arrives if they go on as in the last minutes, in whole seconds; `nil` when it cannot be said: after less than a
  /// minute, or three positions, and for a user who stands still, moves away, or would need more than a day.
  ///
  /// The speed is the median of those between any two marks (Theil and Sen's estimator), and the distance that is left the median of what
  /// follows of each mark by that speed: single positions that are wrong, the last one included, change little.
  public var arrival: Instant? {
    guard marks.count >= 3, let first = marks.first, let last = marks.last, last.time - first.time >= Self.shortest
    else { return nil }
    var speeds: [Double] = []
    speeds.reserveCapacity(marks.count * (marks.count - 1) / 2)
    for (place, later) in marks.enumerated() {
      for earlier in marks[..<place] {
        speeds.append((earlier.left.value - later.left.value) / ((later.time - earlier.time) / .seconds(1)))
      }
    }
    let speed = Self.median(&speeds)
    guard speed >= Self.slowest else { return nil }
    var ways = marks.map { $0.left.value - speed * ((last.time - $0.time) / .seconds(1)) }
    let seconds = (max(0, Self.median(&ways)) / speed).rounded()
    return seconds <= Self.farthest ? last.time + .seconds(seconds) : nil
  }

  /// The middle value of some, at least one.
  private static func median(_ values: inout [Double]) -> Double {
    values.sort()
    let middle = values.count / 2
    return values.count.isMultiple(of: 2) ? (values[middle - 1] + values[middle]) / 2 : values[middle]
  }
}
