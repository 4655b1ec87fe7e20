import Geography
import Identifiers

/// What is compared to decide whether two sources report the same outing ([IM-8]).
package struct OutingFacts: Sendable, Equatable {
  package var sport: Sport
  package var startedAt: Instant
  package var durationSeconds: Double
  package var distanceMetres: Double?
  /// Where the user was, evenly spread over the track's own time; empty without positions.
  package var trace: [TracePoint]

  package init(
    sport: Sport, startedAt: Instant, durationSeconds: Double, distanceMetres: Double? = nil, trace: [TracePoint] = []
  ) {
    self.sport = sport
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.distanceMetres = distanceMetres
    self.trace = trace
  }

  package init(_ activity: ImportedActivity) {
    self.init(
      sport: activity.sport, startedAt: activity.startedAt, durationSeconds: activity.durationSeconds,
      distanceMetres: activity.distanceMetres, trace: activity.track?.trace ?? [])
  }

  var endedAt: Instant { startedAt + .seconds(durationSeconds) }
}

/// A point of a trace.
package struct TracePoint: Sendable, Equatable {
  /// Seconds since the start of the source's activity.
  package var elapsedSeconds: Double
  package var position: GeoPoint

  package init(elapsedSeconds: Double, position: GeoPoint) {
    (self.elapsedSeconds, self.position) = (elapsedSeconds, position)
  }
}

/// The rule by which two reports of one user are the same outing ([IM-8]); its table of results is in the service's README.
///
/// A person does one thing at a time: two reports of one user that overlap in time are one outing, unless they say otherwise by their
/// positions, their distances or their sports. Clocks that are wrong by whole zones (a tracker that writes local time, a clock change
/// missed) are tried too, but then positions must agree, as two outings of the same length a day or an hour apart are common.
package enum SameOuting {
  /// The share of the shorter report that both must cover.
  package static let leastOverlap = 0.5
  /// Clocks that differ by less are taken for the same; a phone and a watch differ by seconds, a badly set one by minutes.
  package static let clockDrift = 300.0
  /// Shifts of whole quarters of an hour, up to the greatest difference of two zones, are tried.
  package static let shiftStep = 900.0
  package static let greatestShift = 14 * 3_600.0
  /// Seconds by which a clock that is wrong by a whole zone differs beside that: both reports are of one recording.
  package static let shiftDrift = 5.0
  /// Metres between two traces at the same moment that still are the same place: satellite error and lag of both.
  package static let samePlace = 150.0
  /// More for traces whose points are far apart, as the way between two is not straight: this share of their distance.
  package static let bendShare = 0.15
  /// The share of compared moments that must be at the same place.
  package static let leastAgreement = 0.8
  /// Fewer moments decide nothing.
  package static let fewestMoments = 4
  /// More moments make nothing surer.
  package static let mostMoments = 48
  /// Distances that differ by more, relative to the greater one, are of different outings, if the covered times are about equal.
  package static let distanceTolerance = 0.25
  /// Reports whose durations differ by less, relative to the longer one, cover about the same time.
  package static let durationTolerance = 0.1
  /// Without positions, starts that differ by less are one outing whose two ends were trimmed or paused differently.
  package static let indoorStart = 600.0

  /// How far apart starts of two reports of one outing may be: no further ones need to be compared.
  package static let window = Duration.seconds(greatestShift + 24 * 3_600)

  /// How well the two reports fit, 0 (not the same outing) to 1.
  package static func likeness(_ one: OutingFacts, _ other: OutingFacts) -> Double {
    guard compatible(one.sport, other.sport) else { return 0 }
    if one.trace.count >= fewestMoments, other.trace.count >= fewestMoments { return spatialLikeness(one, other) }
    return temporalLikeness(one, other)
  }

  /// Sports that the same outing may be called by.
  static func compatible(_ one: Sport, _ other: Sport) -> Bool {
    if one == other || one == .other || other == .other { return true }
    let onFoot: Set<Sport> = [.run, .walk, .hike]
    return onFoot.contains(one) && onFoot.contains(other)
  }

  // MARK: Without positions

  /// By time and distance alone: shifted clocks cannot be told from other outings.
  private static func temporalLikeness(_ one: OutingFacts, _ other: OutingFacts) -> Double {
    let overlap = overlap(one, other, shift: 0)
    let startsTogether = abs(seconds(other.startedAt - one.startedAt)) <= indoorStart
    guard overlap >= leastOverlap, startsTogether || overlap >= 0.8 else { return 0 }
    guard distancesAgree(one, other) else { return 0 }
    return 0.9 * overlap
  }

  private static func distancesAgree(_ one: OutingFacts, _ other: OutingFacts) -> Bool {
    guard let near = one.distanceMetres, let far = other.distanceMetres, near > 0, far > 0 else { return true }
    let (shorter, longer) = (
      min(one.durationSeconds, other.durationSeconds), max(one.durationSeconds, other.durationSeconds)
    )
    guard shorter >= (1 - durationTolerance) * longer else { return true }
    return abs(near - far) <= distanceTolerance * max(near, far)
  }

  // MARK: With positions

  private static func spatialLikeness(_ one: OutingFacts, _ other: OutingFacts) -> Double {
    let difference = seconds(other.startedAt - one.startedAt)
    if let found = agreement(one, other, nearShift: 0), found > 0 { return found }
    // A wrong clock: the shift that brings the starts, or the ends, together is a whole number of quarters of an hour.
    let endDifference = seconds(other.endedAt - one.endedAt)
    for apart in [difference, endDifference] {
      let shift = (apart / shiftStep).rounded() * shiftStep
      guard shift != 0, abs(shift) <= greatestShift, abs(apart - shift) <= shiftDrift else { continue }
      // Two laps of one loop an hour apart look alike: the traces must then be the same to the metre, not only the same way.
      if let found = agreement(one, other, nearShift: shift), found >= strictAgreement {
        return 0.8 * found
      }
    }
    return 0
  }

  /// The agreement that a shifted clock needs.
  package static let strictAgreement = 0.95
  /// Metres within which traces of one recording lie once their clocks are set right.
  package static let sameRecording = 20.0

  /// The share of moments at which both were at the same place, with the other's clock set back by `nearShift`; `nil` if they do not
  /// overlap enough.
  private static func agreement(_ one: OutingFacts, _ other: OutingFacts, nearShift shift: Double) -> Double? {
    guard overlap(one, other, shift: shift) >= leastOverlap else { return nil }
    let (short, long) = one.trace.count <= other.trace.count ? (one, other) : (other, one)
    let sign = one.trace.count <= other.trace.count ? 1.0 : -1.0
    let offset = seconds(short.startedAt - long.startedAt) + sign * shift
    let tolerance = shift == 0 ? samePlace : sameRecording
    let step = max(1, short.trace.count / mostMoments)
    let compared = stride(from: 0, to: short.trace.count, by: step).map { short.trace[$0] }
    var best = 0.0
    for drift in shift == 0 ? drifts : strictDrifts {
      var (moments, same) = (0, 0)
      for point in compared {
        guard let there = place(in: long.trace, at: point.elapsedSeconds + offset + drift) else { continue }
        moments += 1
        let bend = shift == 0 ? bendShare * there.gap : 0
        if there.position.distance(to: point.position).value <= tolerance + bend { same += 1 }
      }
      if moments >= fewestMoments { best = max(best, Double(same) / Double(moments)) }
      if best == 1 { break }
    }
    return best >= leastAgreement ? best : 0
  }

  /// Seconds by which clocks of two devices are tried to differ, the least first.
  private static let drifts: [Double] = stride(from: 0.0, through: clockDrift, by: 10).flatMap {
    $0 == 0 ? [0] : [$0, -$0]
  }
  private static let strictDrifts: [Double] = [-2, -1, 0, 1, 2]

  /// The position at a time, between two points, and how far apart these are; `nil` before the first and after the last.
  private static func place(in trace: [TracePoint], at time: Double) -> (position: GeoPoint, gap: Double)? {
    var (low, next) = (0, trace.count)
    while low < next {
      let middle = (low + next) / 2
      if trace[middle].elapsedSeconds < time { low = middle + 1 } else { next = middle }
    }
    guard next < trace.count else { return nil }
    if trace[next].elapsedSeconds == time { return (trace[next].position, 0) }
    guard next > 0 else { return nil }
    let (before, after) = (trace[next - 1], trace[next])
    let share = (time - before.elapsedSeconds) / (after.elapsedSeconds - before.elapsedSeconds)
    let turn = after.position.longitude - before.position.longitude
    guard abs(turn) < 180 else { return (before.position, 0) }
    let between = GeoPoint(
      latitude: before.position.latitude + share * (after.position.latitude - before.position.latitude),
      longitude: before.position.longitude + share * turn)
    return between.map { ($0, before.position.distance(to: after.position).value) }
  }

  /// The share of the shorter report's time that the other covers.
  private static func overlap(_ one: OutingFacts, _ other: OutingFacts, shift: Double) -> Double {
    let difference = seconds(other.startedAt - one.startedAt) - shift
    let (start, end) = (max(0, difference), min(one.durationSeconds, difference + other.durationSeconds))
    let shorter = max(min(one.durationSeconds, other.durationSeconds), 1)
    return min(1, max(0, end - start + (shorter <= 1 ? 1 : 0)) / shorter)
  }

  private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1e6 }
}

extension Track {
  /// Points of a trace.
  package static let tracePoints = 256

  /// Where the user was, evenly over the time in which positions are known; empty with fewer than two positions.
  package var trace: [TracePoint] {
    let placed = points.compactMap { point in
      point.position.map { TracePoint(elapsedSeconds: point.elapsedSeconds, position: $0) }
    }
    guard let first = placed.first, let last = placed.last, last.elapsedSeconds > first.elapsedSeconds else {
      return []
    }
    let step = (last.elapsedSeconds - first.elapsedSeconds) / Double(Self.tracePoints - 1)
    var (trace, index): ([TracePoint], Int) = ([], 0)
    for number in 0..<Self.tracePoints {
      let time = first.elapsedSeconds + Double(number) * step
      while index + 1 < placed.count, placed[index + 1].elapsedSeconds <= time { index += 1 }
      if trace.last?.elapsedSeconds != placed[index].elapsedSeconds { trace.append(placed[index]) }
    }
    return trace
  }
}
