import Geography
import Identifiers

/// When which position of a recording is played, and what of the recording is left out or changed.
struct ReplayPlan: Sendable, Equatable {
  /// A position to report.
  struct Step: Sendable, Equatable {
    /// How long after the first position, as it was recorded.
    var offset: Duration
    var place: GeoPoint
    var altitudeM: Double?
  }

  /// How many positions, or pauses, the recording has of each kind.
  struct Findings: Sendable, Equatable {
    /// All positions of the file.
    var positions = 0
    /// Left out: no place on Earth.
    var offEarth = 0
    /// Left out: without a time, and not between two positions of a segment that have one.
    var withoutTime = 0
    /// Left out: their time is out of line with those before and after.
    var strayTimes = 0
    /// Played with a time between their neighbours', by the distance, as they have none.
    var interpolated = 0
    /// Played a little later than recorded, as they have the time of the one before.
    var sameTime = 0
    /// Where the clock went back: what follows is played on from there.
    var clockSetBack = 0
    /// Pauses that are shortened.
    var shortenedPauses = 0
  }

  private(set) var steps: [Step] = []
  private(set) var findings = Findings()

  /// How long the recording takes at its own speed, with its pauses shortened.
  var duration: Duration { steps.last?.offset ?? .zero }

  /// The way back, with the same pauses.
  var reversed: ReplayPlan {
    var back = self
    back.steps = steps.reversed().map {
      Step(offset: duration - $0.offset, place: $0.place, altitudeM: $0.altitudeM)
    }
    return back
  }

  /// Beyond that tracking does not believe a position ([TR-2]), in metres per second.
  private static let fastest = 340.0
  /// What is assumed between positions when the clock does not tell, where the recording does not show it.
  private static let usualStep = Duration.seconds(1)

  /// - Parameter maxPause: longer pauses of the recording last so long.
  init(_ recording: Recording, maxPause: Duration) {
    findings.positions = recording.samples.count
    var timed = timedSamples(recording.samples)
    removeStrayTimes(from: &timed)
    let step = Self.typicalStep(of: timed)
    spreadSameTimes(of: &timed, by: step)
    var offset = Duration.zero
    for (place, sample) in timed.enumerated() {
      if place > 0 {
        let passed = sample.time - timed[place - 1].time
        if passed <= .zero { findings.clockSetBack += 1 }
        if passed > maxPause { findings.shortenedPauses += 1 }
        offset += min(passed > .zero ? passed : step, maxPause)
      }
      steps.append(Step(offset: offset, place: sample.place, altitudeM: sample.altitudeM))
    }
  }

  /// How many positions are reached faster than tracking believes, when the recording is played `speed` times as fast.
  func unbelievable(at speed: Double) -> Int {
    zip(steps, steps.dropFirst()).count { one, next in
      let seconds = (next.offset - one.offset).seconds / speed
      return one.place.distance(to: next.place).value > Self.fastest * seconds
    }
  }

  // MARK: Times

  private struct Timed {
    var segment: Int
    var time: Instant
    var place: GeoPoint
    var altitudeM: Double?
  }

  /// The positions that have a time, and those that get one from their neighbours.
  private mutating func timedSamples(_ samples: [Recording.Sample]) -> [Timed] {
    var (timed, untimed): ([Timed], [(place: GeoPoint, altitudeM: Double?)]) = ([], [])
    var before: Recording.Sample?
    for sample in samples {
      guard let place = sample.place else {
        findings.offEarth += 1
        continue
      }
      if sample.segment != before?.segment { drop(&untimed) }
      defer { before = sample }
      guard let time = sample.time else {
        untimed.append((place, sample.altitudeM))
        continue
      }
      let next = Timed(segment: sample.segment, time: time, place: place, altitudeM: sample.altitudeM)
      if let last = timed.last, last.segment == next.segment, last.time < time {
        timed += Self.between(last, untimed, next)
        findings.interpolated += untimed.count
        untimed = []
      }
      drop(&untimed)
      timed.append(next)
    }
    drop(&untimed)
    return timed
  }

  private mutating func drop(_ untimed: inout [(place: GeoPoint, altitudeM: Double?)]) {
    findings.withoutTime += untimed.count
    untimed = []
  }

  /// Positions between two others, at a constant speed along the line.
  private static func between(
    _ start: Timed, _ places: [(place: GeoPoint, altitudeM: Double?)], _ end: Timed
  ) -> [Timed] {
    let line = [start.place] + places.map(\.place) + [end.place]
    let lengths = zip(line, line.dropFirst()).map { $0.distance(to: $1).value }
    let (whole, time) = (lengths.reduce(0, +), end.time - start.time)
    var passed = 0.0
    return places.enumerated().map { number, point in
      passed += lengths[number]
      let share = whole > 0 ? passed / whole : Double(number + 1) / Double(places.count + 1)
      return Timed(
        segment: start.segment, time: start.time + time * share, place: point.place, altitudeM: point.altitudeM)
    }
  }

  /// Leaves out single positions whose time is not between those of their neighbours, which are in order without them.
  private mutating func removeStrayTimes(from timed: inout [Timed]) {
    var kept: [Timed] = []
    for (place, sample) in timed.enumerated() {
      if let last = kept.last, place + 1 < timed.count {
        let next = timed[place + 1].time
        if next >= last.time, sample.time < last.time || sample.time > next {
          findings.strayTimes += 1
          continue
        }
      }
      kept.append(sample)
    }
    timed = kept
  }

  /// Spreads positions with one time up to the next time, but not further than `step` from each other.
  private mutating func spreadSameTimes(of timed: inout [Timed], by step: Duration) {
    var start = 0
    while start < timed.count {
      let time = timed[start].time
      let end = timed[start...].firstIndex { $0.time != time } ?? timed.count
      let room = end < timed.count && timed[end].time > time ? (timed[end].time - time) / (end - start) : step
      for place in start..<end { timed[place].time = time + min(room, step) * (place - start) }
      findings.sameTime += end - start - 1
      start = end
    }
  }

  /// The middle one of the steps of at most a minute; a second where the clock hardly ever goes on.
  private static func typicalStep(of timed: [Timed]) -> Duration {
    let steps = zip(timed, timed.dropFirst()).map { $1.time - $0.time }.filter { $0 > .zero && $0 <= .seconds(60) }
    return steps.isEmpty || steps.count * 2 < timed.count - 1 ? usualStep : steps.sorted()[steps.count / 2]
  }
}

extension Duration {
  /// In seconds.
  var seconds: Double { self / .seconds(1) }
}
