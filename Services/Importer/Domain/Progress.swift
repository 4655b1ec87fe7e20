import Geography
import WorkerPool

/// A part of an activity ([IM-11]).
package struct Split: Sendable, Equatable {
  package var distanceMetres: Double
  package var durationSeconds: Double
  package var ascentMetres: Double
  /// Beats per minute.
  package var heartRateAverage: Double?
}

/// How far an activity had come at each sample: by its positions, or as it measured itself where it has none.
package struct Progress: Sendable {
  package struct Step: Sendable, Equatable {
    package var seconds: Double
    package var metres: Double
    package var elevation: Double?
    package var heartRate: Double?
  }

  package let steps: [Step]
  /// Whether it is faster somewhere than the sport allows: its positions are not all real.
  package let isImpossible: Bool

  package init(_ track: Track, sport: Sport, on thread: borrowing PoolThread) {
    var (steps, metres, last, impossible): ([Step], Double, GeoPoint?, Bool) = ([], 0, nil, false)
    steps.reserveCapacity(track.points.count)
    let usesPositions = track.hasPositions
    for point in track.points {
      if usesPositions {
        guard let position = point.position else { continue }
        if let last { metres += last.distance(to: position).value }
        last = position
      } else {
        guard let measured = point.distanceMetres else { continue }
        metres = max(metres, measured)
      }
      if let before = steps.last {
        let (way, time) = (metres - before.metres, point.elapsedSeconds - before.seconds)
        // A few metres within no time are rounding, not a jump.
        if way > max(time, 1) * sport.highestSpeed + 10 { impossible = true }
      }
      steps.append(
        Step(
          seconds: point.elapsedSeconds, metres: metres, elevation: point.elevationMetres, heartRate: point.heartRate))
    }
    (self.steps, isImpossible) = (steps, impossible)
  }

  /// Distances for which the fastest time is kept, in metres, by sport.
  package static func recordDistances(_ sport: Sport) -> [Double] {
    switch sport {
    case .run: [1_000, 1_609.344, 5_000, 10_000, 21_097.5, 42_195]
    case .walk, .hike: [1_000, 5_000, 10_000, 20_000]
    case .ride: [5_000, 10_000, 20_000, 40_000, 100_000]
    case .swim: [100, 400, 1_000, 1_500]
    case .row: [500, 2_000, 5_000, 10_000]
    case .ski: [5_000, 10_000, 20_000]
    case .other, .strength, .yoga: []
    }
  }

  /// The least time over a distance anywhere in it; `nil` if it is shorter, or impossible.
  package func fastest(_ distance: Double) -> Double? {
    guard !isImpossible, let last = steps.last, let first = steps.first, last.metres - first.metres >= distance
    else { return nil }
    var (best, end): (Double?, Int) = (nil, 0)
    for start in steps.indices {
      end = max(end, start)
      while end < steps.count, steps[end].metres - steps[start].metres < distance { end += 1 }
      guard end < steps.count else { break }
      // The moment of the exact distance lies between two samples.
      let after = steps[end]
      let before = steps[max(start, end - 1)]
      let way = after.metres - before.metres
      let beyond = after.metres - steps[start].metres - distance
      let share = way > 0 ? beyond / way : 0
      let time = after.seconds - share * (after.seconds - before.seconds) - steps[start].seconds
      if time > 0 { best = min(best ?? time, time) }
    }
    return best
  }

  /// Each full `length` metres, and the rest if it is not only rounding.
  package func splits(every length: Double) -> [Split] {
    guard let first = steps.first else { return [] }
    var splits: [Split] = []
    var current = Split(distanceMetres: 0, durationSeconds: 0, ascentMetres: 0)
    var (beats, timed) = (0.0, 0.0)
    var last = first
    func finished() -> Split {
      var split = current
      split.heartRateAverage = timed > 0 ? beats / timed : nil
      return split
    }
    for step in steps.dropFirst() {
      var (way, time) = (step.metres - last.metres, step.seconds - last.seconds)
      current.ascentMetres += max(0, (step.elevation ?? 0) - (last.elevation ?? step.elevation ?? 0))
      while way > 0, current.distanceMetres + way >= length, splits.count < Self.maxSplits {
        let share = (length - current.distanceMetres) / way
        current.durationSeconds += share * time
        current.distanceMetres = length
        if let rate = step.heartRate {
          beats += rate * share * time
          timed += share * time
        }
        splits.append(finished())
        current = Split(distanceMetres: 0, durationSeconds: 0, ascentMetres: 0)
        (beats, timed) = (0, 0)
        (way, time) = (way * (1 - share), time * (1 - share))
      }
      current.distanceMetres += way
      current.durationSeconds += time
      if let rate = step.heartRate {
        beats += rate * time
        timed += time
      }
      last = step
    }
    if current.distanceMetres >= 1 { splits.append(finished()) }
    return splits
  }

  /// More splits are not listed: a track with impossible jumps would have millions.
  static let maxSplits = 1_000

  /// Metres climbed, without the noise of less than `least` metres up and down; `nil` without heights.
  package static func ascent(of track: Track, ignoring least: Double = 3) -> Double? {
    var (ascent, low, isKnown): (Double, Double, Bool) = (0, 0, false)
    for elevation in track.points.lazy.compactMap(\.elevationMetres) {
      if !isKnown { (low, isKnown) = (elevation, true) }
      if elevation < low {
        low = elevation
      } else if elevation - low >= least {
        ascent += elevation - low
        low = elevation
      }
    }
    return isKnown ? ascent : nil
  }
}
