/// A set that a user performed.
public struct PerformedSet: Sendable, Equatable {
  /// A log with more sets is refused.
  public static let maxOfLog = 200

  /// 0 for a set that is held for a time.
  public let reps: Int32
  /// Zero for a set without weight.
  public let weight: Weight
  /// In seconds; 0 for a set that is counted in repetitions.
  public let duration: Int32

  public init(reps: Int32, weight: Weight, duration: Int32) {
    self.reps = reps
    self.weight = weight
    self.duration = duration
  }

  /// Repetitions times weight, in grams.
  public var volume: Int64 { Int64(reps) * Int64(weight.grams) }
}

/// How the one-repetition maximum is estimated ([CA-14]).
public enum MaximumFormula: String, Sendable, Hashable, CaseIterable {
  /// B. Epley, Poundage Chart, 1985.
  case epley = "Epley"
  /// M. Brzycki, Strength Testing, Journal of Physical Education, Recreation and Dance 64 (1993).
  case brzycki = "Brzycki"

  /// With more repetitions the formulas differ from what users lift, and from each other.
  public static let repetitions: ClosedRange<Int32> = 1...12

  /// The estimate in kilograms; `nil` outside ``repetitions`` or without a weight.
  public func estimate(_ set: PerformedSet) -> Double? {
    guard Self.repetitions.contains(set.reps), set.weight > .zero else { return nil }
    let (weight, reps) = (set.weight.kilograms, Double(set.reps))
    return switch self {
    case .epley: set.reps == 1 ? weight : weight * (1 + reps / 30)
    case .brzycki: weight * 36 / (37 - reps)
    }
  }

  /// The set with the highest estimate. If none can be estimated: the heaviest, then the one with the most repetitions, then the longest;
  /// `nil` without sets.
  public func best(of sets: some Collection<PerformedSet>) -> (set: PerformedSet, estimate: Double?)? {
    let rated = sets.map { (set: $0, estimate: estimate($0)) }
    return rated.max { one, other in
      let (first, second) = (one.set, other.set)
      if one.estimate != other.estimate { return one.estimate ?? -1 < other.estimate ?? -1 }
      return (first.weight, first.reps, first.duration) < (second.weight, second.reps, second.duration)
    }
  }
}
