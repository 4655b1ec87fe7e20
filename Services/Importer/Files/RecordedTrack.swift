import FileContents
import Geography
import Identifiers
import ImporterDomain

/// A sample as a file has it.
package struct Sample: Sendable, Equatable {
  package var time: Instant?
  package var position: GeoPoint?
  package var elevation: Double?
  package var heartRate: Double?
  package var distance: Double?
  package var cadence: Double?
  package var power: Double?

  package init() {}
}

/// What a tracker recorded of one activity: samples in stretches between which it paused.
struct RecordedTrack {
  var segments: [[Sample]] = [[]]
  var count = 0

  mutating func begin() { if segments.last?.isEmpty == false { segments.append([]) } }

  mutating func add(_ sample: Sample) throws(XMLRefusal) {
    count += 1
    guard count <= FileLimits.points else {
      throw XMLRefusal(kind: .tooMuch, message: "An activity has more than \(FileLimits.points) points")
    }
    segments[segments.count - 1].append(sample)
  }

  /// Whether there is an activity in it.
  var hasTimes: Bool { segments.lazy.joined().lazy.filter { $0.time != nil }.prefix(2).count == 2 }

  /// The activity that the samples show; `nil` with fewer than two that have a time.
  func activity(sport: Sport, zone: String, title: String, device: String) -> ImportedActivity? {
    guard var times = TimeSpan(segments) else { return nil }
    var timed = segments
    if !times.isOfAll || times.length > Self.maxDuration {
      timed = withoutStrayTimes
      guard let span = TimeSpan(timed) else { return nil }
      times = span
    }
    guard times.count >= 2 else { return nil }
    timed = timed.map { Self.withoutFaults($0) }
    var (way, points): (Way, [TrackPoint]) = (Way(), [])
    points.reserveCapacity(times.count)
    for segment in timed {
      way.add(segment)
      for sample in segment { points.append(Self.point(sample, times.seconds(to: sample.time))) }
    }
    let track = Track(points: points)
    let measured = points.lazy.compactMap(\.distanceMetres).max()
    return ImportedActivity(
      provider: "file", externalID: "", sport: sport, startedAt: times.first, timeZone: zone,
      durationSeconds: times.length, movingSeconds: way.secondsInMotion,
      distanceMetres: measured ?? (way.metres > 0 ? way.metres : nil), heartRateAverage: Self.heartRate(track),
      heartRateMaximum: points.lazy.compactMap(\.heartRate).max(), ascentMetres: Progress.ascent(of: track),
      elevationSource: points.contains { $0.elevationMetres != nil } ? .gps : nil, title: title, device: device,
      track: track)
  }

  /// The samples without hearts that cannot beat, and without the positions that receivers write before they have one: (0, 0) in a
  /// track that is elsewhere.
  private static func withoutFaults(_ samples: [Sample]) -> [Sample] {
    let isElsewhere = samples.contains { $0.position.map { !isNowhere($0) } ?? false }
    return samples.map { sample in
      var sample = sample
      if let rate = sample.heartRate, !Plausible.heartRate.contains(rate) { sample.heartRate = nil }
      if isElsewhere, let position = sample.position, isNowhere(position) { sample.position = nil }
      return sample
    }
  }

  /// Off Africa, exactly at (0, 0), where nobody trains.
  private static func isNowhere(_ point: GeoPoint) -> Bool { abs(point.latitude) < 1e-6 && abs(point.longitude) < 1e-6 }

  /// Farther from the middle of all times is a fault of the clock, not a month on the way; in seconds.
  private static let maxDuration = 31.0 * 86_400

  /// The samples that have a time near the others.
  private var withoutStrayTimes: [[Sample]] {
    let times = segments.joined().compactMap(\.time).sorted()
    guard !times.isEmpty else { return [] }
    let middle = times[times.count / 2]
    return segments.map { $0.filter { $0.time.map { abs($0.seconds(since: middle)) <= Self.maxDuration } ?? false } }
  }

  private static func point(_ sample: Sample, _ seconds: Double) -> TrackPoint {
    TrackPoint(
      elapsedSeconds: seconds, position: sample.position, elevationMetres: sample.elevation,
      heartRate: sample.heartRate, distanceMetres: sample.distance, cadence: sample.cadence, powerWatts: sample.power)
  }

  /// Averaged over samples; `nil` without any.
  private static func heartRate(_ track: Track) -> Double? {
    var (sum, count) = (0.0, 0)
    for case let beats? in track.points.lazy.map(\.heartRate) {
      sum += beats
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }
}

extension Instant {
  /// Negative if it is earlier.
  ///
  /// `Duration` divides 128 bits, which is most of the time that a sample takes.
  func seconds(since earlier: Instant) -> Double { Double(microseconds - earlier.microseconds) / 1e6 }
}

/// From the first to the last sample that has a time.
private struct TimeSpan {
  private(set) var first: Instant
  private var last: Instant
  /// Samples that have a time, and whether all have.
  private(set) var count = 0
  private(set) var isOfAll = true

  /// `nil` if no sample has a time.
  init?(_ segments: [[Sample]]) {
    guard let one = segments.lazy.joined().lazy.compactMap(\.time).first else { return nil }
    (first, last) = (one, one)
    for segment in segments {
      for sample in segment {
        guard let time = sample.time else {
          isOfAll = false
          continue
        }
        (first, last) = (min(first, time), max(last, time))
        count += 1
      }
    }
  }

  /// In seconds.
  var length: Double { last.seconds(since: first) }

  func seconds(to time: Instant?) -> Double { time?.seconds(since: first) ?? 0 }
}

/// How far and for how long samples moved, each segment by itself.
private struct Way {
  private(set) var metres = 0.0
  /// `nil` without positions.
  private(set) var secondsInMotion: Double?

  /// Slower is standing, in metres per second.
  private static let standing = 0.3
  /// Longer without a sample is a pause, in seconds.
  private static let pause = 60.0

  mutating func add(_ segment: [Sample]) {
    var (length, last): (Double, Int?) = (0, nil)
    for index in segment.indices {
      guard let here = segment[index].position else { continue }
      defer { last = index }
      guard let last, let there = segment[last].position else { continue }
      let step = there.distance(to: here).value
      length += step
      guard last == index - 1, let start = segment[last].time, let end = segment[index].time else { continue }
      let time = end.seconds(since: start)
      let isMoving = time > 0 && time <= Self.pause && step / time >= Self.standing
      secondsInMotion = (secondsInMotion ?? 0) + (isMoving ? time : 0)
    }
    metres += length
  }
}

extension ImportedActivity {
  /// The activity with an earlier start, from which its samples count.
  func starting(at earlier: Instant) -> ImportedActivity {
    let lead = startedAt.seconds(since: earlier)
    guard lead > 0, lead <= Self.maxLead else { return self }
    var activity = self
    activity.startedAt = earlier
    activity.durationSeconds += lead
    activity.track = track.map { track in
      Track(
        points: track.points.map { point in
          var point = point
          point.elapsedSeconds += lead
          return point
        })
    }
    return activity
  }

  /// A start that is farther before the first sample is a fault of the clock, in seconds.
  private static let maxLead = 3_600.0
}
