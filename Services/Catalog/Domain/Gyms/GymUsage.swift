import Identifiers

/// How full a gym is ([CA-4]).
public struct GymUsage: Sendable, Equatable {
  /// Who says so.
  public enum Source: Sendable, Equatable {
    /// The gym's operator.
    case report
    /// Those who checked in.
    case checkIns
  }

  /// What an operator reported last.
  public struct Report: Sendable, Equatable {
    /// Users who are there.
    public let people: Int
    /// When they were counted.
    public let observedAt: Instant

    /// So many at that time.
    public init(people: Int, observedAt: Instant) { (self.people, self.observedAt) = (people, observedAt) }
  }

  /// Who checked in lately and is expected to be there still.
  public struct CheckIns: Sendable, Equatable {
    /// How many people.
    public let people: Int
    /// The last one's time.
    public let latest: Instant

    /// So many, the last of them at that time.
    public init(people: Int, latest: Instant) { (self.people, self.latest) = (people, latest) }
  }

  /// How long a report or a check-in says something.
  public static let lifetime: Duration = .seconds(90 * 60)
  /// How far ahead of this service's clock a report's time may be.
  public static let clockTolerance: Duration = .seconds(60)
  /// Users who are counted, and who fit; more are a mistake.
  public static let maxPeople = 100_000

  /// Users who are there.
  public let people: Int
  /// Users who fit.
  public let capacity: Int
  /// When it was so.
  public let observedAt: Instant
  /// Who says so.
  public let source: Source

  /// Users over capacity, rounded.
  public var percentage: Int { (people * 200 + capacity) / (2 * capacity) }

  /// What is known at a moment; `nil` for nothing.
  ///
  /// A report comes before check-ins, for it counts those without the app too. Nobody's having checked in says nothing.
  public init?(capacity: Int?, report: Report?, checkIns: CheckIns?, at now: Instant) {
    guard let capacity, capacity > 0 else { return nil }
    self.capacity = capacity
    if let report, report.observedAt > now - Self.lifetime {
      (people, observedAt, source) = (report.people, report.observedAt, .report)
    } else if let checkIns, checkIns.people > 0 {
      (people, observedAt, source) = (checkIns.people, checkIns.latest, .checkIns)
    } else {
      return nil
    }
  }

  /// How long ago it was so; never negative, whatever the reporter's clock.
  public func age(at now: Instant) -> Duration { max(.zero, now - observedAt) }
}
