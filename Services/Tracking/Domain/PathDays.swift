import Identifiers

/// How many positions of the last days were kept on a user's paths: at most so many of one day in UTC, by their own times.
///
/// A position that is older or further ahead is not used, so that the days are three at most, and what retention leaves is bounded
/// ([TR-2], [TR-13]).
public struct PathDays: Sendable, Hashable {
  /// A day, and the positions of it.
  public struct Day: Sendable, Hashable {
    /// Days since 1970-01-01.
    public let number: Int32
    public internal(set) var count: Int32

    public init(_ number: Int32, count: Int32) { (self.number, self.count) = (number, count) }
  }

  public private(set) var days: [Day]

  /// More than one a second.
  public static let maxOfDay: Int32 = 100_000
  private static let maxDays = 3

  public init(_ days: [Day] = []) { self.days = days }

  /// How many positions of the day of a moment were kept.
  public func count(at time: Instant) -> Int32 { days.first { $0.number == Self.day(of: time) }?.count ?? 0 }

  /// The most that can be stored of a user at one moment. A span of whole days is within one day more, and what is too old is deleted within
  /// another one.
  public static func maxStored(keptFor days: Int32) -> Int64 { Int64(maxOfDay) * (Int64(days) + 2) }

  /// Counts a position; returns whether it is to be kept.
  mutating func add(at time: Instant) -> Bool {
    let day = Self.day(of: time)
    if let place = days.firstIndex(where: { $0.number == day }) {
      guard days[place].count < Self.maxOfDay else { return false }
      days[place].count += 1
      return true
    }
    if days.count >= Self.maxDays, let oldest = days.indices.min(by: { days[$0].number < days[$1].number }) {
      days.remove(at: oldest)
    }
    days.append(Day(day, count: 1))
    return true
  }

  private static func day(of time: Instant) -> Int32 {
    let (whole, rest) = time.wholeSeconds.quotientAndRemainder(dividingBy: 86_400)
    return Int32(clamping: rest < 0 ? whole - 1 : whole)
  }
}
