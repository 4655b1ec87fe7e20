import Geography
import Identifiers

/// What is compared to decide whether two sources report the same outing ([IM-8]).
package struct OutingFacts: Sendable, Equatable {
  package let sport: Sport
  package let startedAt: Instant
  package let durationSeconds: Double
  package let distanceMetres: Double?
  /// Where the user was, evenly spread over the track's own time; empty without positions.
  package let trace: Trace

  package init(
    sport: Sport, startedAt: Instant, durationSeconds: Double, distanceMetres: Double? = nil, trace: [TracePoint] = []
  ) {
    self.sport = sport
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.distanceMetres = distanceMetres
    self.trace = Trace(trace)
  }

  package init(_ activity: ImportedActivity) {
    self.init(
      sport: activity.sport, startedAt: activity.startedAt, durationSeconds: activity.durationSeconds,
      distanceMetres: activity.distanceMetres, trace: activity.track?.trace ?? [])
  }

  package var endedAt: Instant { startedAt + .seconds(durationSeconds) }
  /// Whether its positions say anything.
  package var isPlaced: Bool { trace.points.count >= SameOuting.fewestMoments }
}

/// How two reports of one user belong together.
package enum OutingVerdict: Sendable, Equatable {
  /// They report the same outing, so well (0 to 1), by clocks that agree or not.
  case same(Double, Clocks)
  /// They are about the same time and contradict each other: they are of different outings.
  case apart
  /// They are about different times: two outings, or two parts of one.
  case unrelated

  package enum Clocks: Sendable, Equatable {
    case agree
    /// One of them is wrong by whole quarters of an hour.
    case shifted
  }
}

/// The rule by which two reports of one user are the same outing ([IM-8]); its table of results is in the service's README.
///
/// A person does one thing at a time: two reports of one user that overlap in time are one outing, unless they say otherwise by their
/// positions, their distances or their sports. Clocks that are wrong by whole zones (a tracker that writes local time, a clock change
/// missed) are tried too, but then both must have moved, and alike, as two outings of the same length a day or an hour apart are common,
/// and one who stands still is in the same place at any hour.
package enum SameOuting {
  /// The share of the shorter report that both must cover.
  package static let minOverlap = 0.5
  /// The share of the shorter report that both must cover by their own clocks before these are set right by minutes: laps that are
  /// run one after the other never overlap.
  package static let minOwnOverlap = 0.15
  /// Seconds by which clocks may differ: a phone's and a watch's by seconds, a badly set one by minutes.
  package static let clockDrift = 600.0
  /// Between two drifts that are tried at first: less than it takes to leave `samePlace` on foot.
  package static let driftStep = 30.0
  /// Seconds by which a clock may go wrong within a recording, of those reports that cover the same time: it is set right on the way, or
  /// runs fast.
  package static let driftWithin = 300.0
  /// Shifts of whole quarters of an hour, up to the greatest difference of two zones, are tried.
  package static let shiftStep = 900.0
  package static let greatestShift = 14 * 3_600.0
  /// The share of the shorter report that both must cover if a clock is shifted.
  package static let shiftedOverlap = 0.8
  /// Seconds by which a clock that is wrong by a whole zone differs beside that.
  package static let shiftDrift = 10.0
  /// Metres between two traces at the same moment that still are the same place: satellite error and lag of both.
  package static let samePlace = 150.0
  /// More for traces whose points are far apart, as the way between two is not straight: this share of their distance.
  package static let bendShare = 0.15
  /// The share of compared moments that must be at the same place.
  package static let minAgreement = 0.8
  /// Fewer moments decide nothing.
  package static let fewestMoments = 4
  /// More moments make nothing surer.
  package static let maxMoments = 48
  /// Distances that differ by more, relative to the greater one, are of different outings, if the covered times are about equal.
  package static let distanceTolerance = 0.25
  /// The same where both ends coincide: a foot pod that was never calibrated measures half as much again.
  package static let measuredTolerance = 0.5
  /// Seconds by which starts and ends of two reports differ that coincide.
  package static let sameEnds = 120.0
  /// Reports whose durations differ by less, relative to the longer one, cover about the same time.
  package static let durationTolerance = 0.1
  /// Without positions, starts that differ by less are one outing whose two ends were trimmed or paused differently.
  package static let indoorStart = 600.0
  /// The share of the compared moments that must agree once a clock was shifted.
  package static let strictAgreement = 0.9
  /// Metres within which traces of one way and pace lie, whatever the devices, once their clocks are set right.
  package static let sameRecording = 25.0
  package static let strictBendShare = 0.1

  /// How far apart starts of two reports of one outing may be: no further ones need to be compared.
  package static let window = Duration.seconds(greatestShift + 24 * 3_600)

  /// How well the two reports fit, 0 (not the same outing) to 1.
  package static func likeness(_ one: OutingFacts, _ other: OutingFacts) -> Double {
    guard case .same(let likeness, _) = verdict(one, other) else { return 0 }
    return likeness
  }

  package static func verdict(_ one: OutingFacts, _ other: OutingFacts) -> OutingVerdict {
    let overlap = overlap(one, other, shift: 0)
    let otherwise = overlap >= minOverlap ? OutingVerdict.apart : .unrelated
    let kinship = one.sport.kinship(to: other.sport)
    guard kinship != .none else { return otherwise }
    guard one.isPlaced, other.isPlaced else {
      guard kinship == .same, overlap >= minOverlap else { return otherwise }
      return temporalVerdict(one, other, overlap)
    }
    guard mayMeet(one, other) else { return otherwise }
    let compared = Comparison(one, other)
    if let found = compared.atOwnClocks(overlap) { return .same(found, .agree) }
    if one.trace.moves, other.trace.moves, let found = compared.atChangingClocks(overlap) {
      return .same(0.9 * found, .agree)
    }
    if kinship == .same, one.trace.moves, other.trace.moves, let found = compared.atShiftedClocks() {
      return .same(0.8 * found, .shifted)
    }
    return otherwise
  }

  /// Whether two reports are near enough in time and place for `verdict` to find the same outing: the cheap part of the question.
  package static func mayBeSame(_ one: OutingFacts, _ other: OutingFacts) -> Bool {
    guard abs(seconds(other.startedAt - one.startedAt)) <= seconds(window) else { return false }
    guard one.isPlaced, other.isPlaced else { return overlap(one, other, shift: 0) >= minOverlap }
    return mayMeet(one, other)
  }

  /// Whether the boxes of two traces are as near as points of one place may be.
  private static func mayMeet(_ one: OutingFacts, _ other: OutingFacts) -> Bool {
    guard let box = one.trace.box, let beside = other.trace.box else { return false }
    let reach = samePlace + bendShare * max(one.trace.greatestGap, other.trace.greatestGap)
    return box.isWithin(reach, of: beside)
  }

  // MARK: Without positions

  /// By time and distance alone: shifted clocks cannot be told from other outings.
  private static func temporalVerdict(
    _ one: OutingFacts, _ other: OutingFacts, _ overlap: Double
  ) -> OutingVerdict {
    let startsTogether = abs(seconds(other.startedAt - one.startedAt)) <= indoorStart
    guard startsTogether || overlap >= 0.8, distancesAgree(one, other) else { return .apart }
    return .same(0.9 * overlap, .agree)
  }

  private static func distancesAgree(_ one: OutingFacts, _ other: OutingFacts) -> Bool {
    guard let near = one.distanceMetres, let far = other.distanceMetres, near > 0, far > 0 else { return true }
    let (shorter, longer) = (
      min(one.durationSeconds, other.durationSeconds), max(one.durationSeconds, other.durationSeconds)
    )
    guard shorter >= (1 - durationTolerance) * longer else { return true }
    let ends = [one.startedAt - other.startedAt, one.endedAt - other.endedAt].map { abs(seconds($0)) }
    let tolerance = ends.allSatisfy { $0 <= sameEnds } ? measuredTolerance : distanceTolerance
    return abs(near - far) <= tolerance * max(near, far)
  }

  /// The share of the shorter report's time that the other covers, with the other's clock set back.
  static func overlap(_ one: OutingFacts, _ other: OutingFacts, shift: Double) -> Double {
    let difference = seconds(other.startedAt - one.startedAt) - shift
    let (start, end) = (max(0, difference), min(one.durationSeconds, difference + other.durationSeconds))
    let shorter = max(min(one.durationSeconds, other.durationSeconds), 1)
    return min(1, max(0, end - start + (shorter <= 1 ? 1 : 0)) / shorter)
  }

  static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1e6 }
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
