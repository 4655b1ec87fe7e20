import Identifiers

/// How full a gym is ([CA-4]).
public struct GymUsage: Sendable, Equatable {
  /// Where the number is from.
  public enum Source: Sendable, Equatable {
    /// A report of the gym's operator.
    case report
    /// Users' check-ins.
    case checkIns
  }

  /// The last report of a gym's operator.
  public struct Report: Sendable, Equatable {
    /// People present.
    public let people: Int
    /// When they were counted.
    public let observedAt: Instant

    public init(people: Int, observedAt: Instant) { (self.people, self.observedAt) = (people, observedAt) }
  }

  /// The recent check-ins of users who are expected to be present still.
  public struct CheckIns: Sendable, Equatable {
    public let people: Int
    /// When the last of them checked in.
    public let latest: Instant

    public init(people: Int, latest: Instant) { (self.people, self.latest) = (people, latest) }
  }

  /// How long a report or a check-in counts.
  public static let lifetime: Duration = .seconds(90 * 60)
  /// How far ahead of this service's clock a report's time may be.
  public static let clockTolerance: Duration = .seconds(60)
  /// The most people who can be counted or fit; more are a mistake.
  public static let maxPeople = 100_000

  /// People present.
  public let people: Int
  /// People who fit.
  public let capacity: Int
  /// When the people were counted, or the last one checked in.
  public let observedAt: Instant
  public let source: Source

  /// People over capacity, rounded.
  public var percentage: Int { (people * 200 + capacity) / (2 * capacity) }

  /// The usage at a moment; `nil` if it is unknown.
  ///
  /// A report takes precedence over check-ins, as it counts those without the app too. No check-ins do not mean that the gym is empty.
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

  /// The time since it was observed; never negative, whatever the reporter's clock.
  public func age(at now: Instant) -> Duration { max(.zero, now - observedAt) }
}
