import Geography
import Identifiers

/// Compares where two reports say that a user was: the part of ``SameOuting`` that looks at positions.
///
/// The work is bounded: some 50 drifts of a clock, 800 pairs of them and 230 drifts that change on the way, or 112 shifts of which most end
/// after eight moments, at 48 moments each.
struct Comparison {
  private let one: OutingFacts
  private let other: OutingFacts
  private let long: Trace
  /// What to add to a moment of the shorter trace for the same moment of the longer one, by the clocks as they are.
  private let offset: Double
  /// 1 if `one` has the shorter trace: a shift of the other's clock then adds, otherwise it takes away.
  private let sign: Double
  private let moments: [Moment]

  private struct Moment {
    let seconds: Double
    let position: GeoPoint
    let metresOfDegree: Double
  }

  init(_ one: OutingFacts, _ other: OutingFacts) {
    (self.one, self.other) = (one, other)
    let isInOrder = one.trace.points.count <= other.trace.points.count
    let (short, long) = isInOrder ? (one, other) : (other, one)
    self.long = long.trace
    sign = isInOrder ? 1 : -1
    offset = SameOuting.seconds(short.startedAt - long.startedAt)
    let step = max(1, (short.trace.points.count + SameOuting.maxMoments - 1) / SameOuting.maxMoments)
    moments = stride(from: 0, to: short.trace.points.count, by: step).map { index in
      let point = short.trace.points[index]
      return Moment(
        seconds: point.elapsedSeconds, position: point.position,
        metresOfDegree: Flat.metresOfDegree(at: point.position.latitude))
    }
  }

  /// How near the two have to be at a moment.
  private struct Tolerance {
    let metres: Double
    /// Of the distance of the points that a place lies between.
    let bend: Double

    static let place = Tolerance(metres: SameOuting.samePlace, bend: SameOuting.bendShare)
    static let recording = Tolerance(metres: SameOuting.sameRecording, bend: SameOuting.strictBendShare)
  }

  /// The share of moments at which both were at the same place, by clocks that are at most minutes apart; `nil` if too few.
  func atOwnClocks(_ ownOverlap: Double) -> Double? {
    guard ownOverlap >= SameOuting.minOwnOverlap else { return nil }
    var tried: [(drift: Double, share: Double)] = []
    for drift in Self.drifts where isEnough(shift: sign * drift, SameOuting.minOverlap) {
      let share = agreement(drift, .place, atLeast: 0.5)
      if share == 1 { return 1 }
      tried.append((drift, share))
    }
    let best = tried.sorted { $0.share > $1.share }.prefix(Self.refined)
    var found = best.first?.share ?? 0
    for (drift, share) in best where share >= 0.5 {
      for nearer in [drift - 10, drift + 10] { found = max(found, agreement(nearer, .place, atLeast: found)) }
    }
    return found >= SameOuting.minAgreement ? found : nil
  }

  private static let refined = 3

  /// The least first.
  private static let drifts: [Double] = stride(from: 0.0, through: SameOuting.clockDrift, by: SameOuting.driftStep)
    .flatMap { $0 == 0 ? [0] : [$0, -$0] }

  /// The same of reports that cover the same time, by a clock that was set on the way, or whose error changes evenly from one end to the
  /// other.
  func atChangingClocks(_ ownOverlap: Double) -> Double? {
    guard ownOverlap >= SameOuting.minOverlap else { return nil }
    return atSteppedClocks() ?? atDriftingClocks()
  }

  /// By a clock that was set once: one drift up to some moment, and another one from it on.
  private func atSteppedClocks() -> Double? {
    let agreeing = Self.drifts.map { drift in moments.map { isSamePlace($0, drift, .place) } }
    // Of the moments before each one, how many agree, and at how many both are known.
    let sums = agreeing.map { moments in
      moments.reduce(into: [(same: 0, seen: 0)]) { sums, isSame in
        let last = sums[sums.count - 1]
        sums.append((last.same + (isSame == true ? 1 : 0), last.seen + (isSame == nil ? 0 : 1)))
      }
    }
    var best = 0.0
    for (before, start) in zip(Self.drifts, sums) {
      for (after, end) in zip(Self.drifts, sums) where before != after && abs(before - after) <= SameOuting.driftWithin
      {
        let whole = end[moments.count]
        for place in 1..<moments.count {
          let seen = start[place].seen + whole.seen - end[place].seen
          guard seen >= max(SameOuting.fewestMoments, moments.count / 2) else { continue }
          best = max(best, Double(start[place].same + whole.same - end[place].same) / Double(seen))
        }
      }
    }
    return best >= SameOuting.minAgreement ? best : nil
  }

  private func atDriftingClocks() -> Double? {
    var tried: [(drift: Drift, share: Double)] = []
    for start in stride(from: -SameOuting.clockDrift, through: SameOuting.clockDrift, by: Self.coarseStep) {
      for change in stride(from: -SameOuting.driftWithin, through: SameOuting.driftWithin, by: Self.coarseStep)
      where change != 0 && abs(start + change) <= SameOuting.clockDrift {
        let drift = Drift(start: start, end: start + change)
        let share = agreement(drift, .place, atLeast: Self.leastCoarse)
        if share >= Self.leastCoarse { tried.append((drift, share)) }
      }
    }
    var found = 0.0
    for var (best, share) in tried.sorted(by: { $0.share > $1.share }).prefix(Self.refined) {
      for step in [30.0, 15, 8] {
        for (start, end) in [(-1.0, 0.0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
          let nearer = Drift(start: best.start + start * step, end: best.end + end * step)
          let agreed = agreement(nearer, .place, atLeast: share)
          if agreed > share { (best, share) = (nearer, agreed) }
        }
      }
      found = max(found, share)
    }
    return found >= SameOuting.minAgreement ? found : nil
  }

  /// Between two drifts of each end that are tried at first, and the share of moments that such a coarse one has to let agree.
  private static let (coarseStep, leastCoarse) = (60.0, 0.4)

  /// What to add to the moments of the shorter trace at its start and at its end.
  private struct Drift {
    let start: Double
    let end: Double
  }

  /// The same by clocks of which one is wrong by quarters of an hour.
  func atShiftedClocks() -> Double? {
    let difference = SameOuting.seconds(other.startedAt - one.startedAt)
    let least = max(-SameOuting.greatestShift, difference - one.durationSeconds)
    let most = min(SameOuting.greatestShift, difference + other.durationSeconds)
    guard least <= most else { return nil }
    var best = 0.0
    let first = (least / SameOuting.shiftStep).rounded(.up) * SameOuting.shiftStep
    for shift in stride(from: first, through: most, by: SameOuting.shiftStep)
    where shift != 0 && isEnough(shift: shift, SameOuting.shiftedOverlap) && isPossible(sign * shift) {
      for drift in Self.strictDrifts {
        best = max(best, agreement(sign * shift + drift, .recording, atLeast: SameOuting.strictAgreement))
      }
      if best == 1 { break }
    }
    return best >= SameOuting.strictAgreement ? best : nil
  }

  private static let strictDrifts = Array(
    stride(from: -SameOuting.shiftDrift, through: SameOuting.shiftDrift, by: 2.0))

  private func isEnough(shift: Double, _ least: Double) -> Bool {
    SameOuting.overlap(one, other, shift: shift) >= least
  }

  /// Whether a few moments let a shift look right.
  private func isPossible(_ shift: Double) -> Bool {
    let step = max(1, moments.count / Self.probes)
    var (seen, same) = (0, 0)
    for moment in stride(from: 0, to: moments.count, by: step).lazy.map({ moments[$0] }) {
      guard let isSame = isSamePlace(moment, shift, .place) else { continue }
      seen += 1
      if isSame { same += 1 }
    }
    return seen > 0 && same * 4 >= seen * 3
  }

  private static let probes = 8

  /// The share of the moments that both know at which they were at the same place; 0 once it cannot be `least` any more.
  private func agreement(_ shift: Double, _ tolerance: Tolerance, atLeast least: Double) -> Double {
    agreement(Drift(start: shift, end: shift), tolerance, atLeast: least)
  }

  private func agreement(_ drift: Drift, _ tolerance: Tolerance, atLeast least: Double) -> Double {
    var (seen, same) = (0, 0)
    let mayMiss = Int((1 - least) * Double(moments.count))
    let length = max(moments.last?.seconds ?? 0, 1)
    for moment in moments {
      let shift = drift.start + (drift.end - drift.start) * moment.seconds / length
      guard let isSame = isSamePlace(moment, shift, tolerance) else { continue }
      seen += 1
      if isSame { same += 1 } else if seen - same > mayMiss { return 0 }
    }
    return seen >= SameOuting.fewestMoments ? Double(same) / Double(seen) : 0
  }

  private func isSamePlace(_ moment: Moment, _ shift: Double, _ tolerance: Tolerance) -> Bool? {
    guard let there = long.place(at: moment.seconds + offset + shift) else { return nil }
    let north = (there.latitude - moment.position.latitude) * Flat.metresOfDegree
    let east = Flat.turn(from: moment.position.longitude, to: there.longitude) * moment.metresOfDegree
    let reach = tolerance.metres + tolerance.bend * there.gap
    return north * north + east * east <= reach * reach
  }
}
