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

  /// The activity that the samples show; `nil` with fewer than two that have a time.
  func activity(sport: Sport, zone: String, title: String, device: String) -> ImportedActivity? {
    let timed = withoutStrayTimes
    let times = timed.joined().compactMap(\.time)
    guard times.count >= 2, let start = times.min(), let end = times.max() else { return nil }
    let points = timed.joined().compactMap { sample in sample.time.map { Self.point(sample, Self.seconds($0 - start)) }
    }
    let track = Track(points: points)
    let lengths = timed.map { segment in
      Track(points: segment.map { Self.point($0, 0) }).lengthMetres
    }
    let measured = points.compactMap(\.distanceMetres).max()
    let length = lengths.reduce(0, +)
    return ImportedActivity(
      provider: "file", externalID: "", sport: sport, startedAt: start, timeZone: zone,
      durationSeconds: Self.seconds(end - start), movingSeconds: Self.moving(timed),
      distanceMetres: measured ?? (length > 0 ? length : nil), heartRateAverage: Self.heartRate(track),
      heartRateMaximum: points.compactMap(\.heartRate).max(), ascentMetres: Progress.ascent(of: track),
      elevationSource: points.contains { $0.elevationMetres != nil } ? .gps : nil, title: title, device: device,
      track: track)
  }

  /// Farther from the middle of all times is a fault of the clock, not a month on the way.
  private static let longest = Duration.seconds(31 * 86_400)

  /// The samples that have a time near the others.
  private var withoutStrayTimes: [[Sample]] {
    let times = segments.joined().compactMap(\.time).sorted()
    guard !times.isEmpty else { return [] }
    let middle = times[times.count / 2]
    let near = (middle - Self.longest)...(middle + Self.longest)
    return segments.map { $0.filter { $0.time.map(near.contains) ?? false } }
  }

  private static func point(_ sample: Sample, _ seconds: Double) -> TrackPoint {
    TrackPoint(
      elapsedSeconds: seconds, position: sample.position, elevationMetres: sample.elevation,
      heartRate: sample.heartRate, distanceMetres: sample.distance, cadence: sample.cadence, powerWatts: sample.power)
  }

  private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1e6 }

  /// Slower is standing, in metres per second.
  private static let standing = 0.3
  /// Longer without a sample is a pause, in seconds.
  private static let pause = 60.0

  /// Time in motion within the segments; `nil` without positions.
  private static func moving(_ segments: [[Sample]]) -> Double? {
    var (total, isKnown) = (0.0, false)
    for segment in segments {
      for (one, next) in zip(segment, segment.dropFirst()) {
        guard let from = one.position, let to = next.position, let start = one.time, let end = next.time else {
          continue
        }
        isKnown = true
        let time = seconds(end - start)
        if time > 0, time <= pause, from.distance(to: to).value / time >= standing { total += time }
      }
    }
    return isKnown ? total : nil
  }

  /// Averaged over time; `nil` without any.
  private static func heartRate(_ track: Track) -> Double? {
    let beats = track.points.compactMap(\.heartRate)
    guard !beats.isEmpty else { return nil }
    return beats.reduce(0, +) / Double(beats.count)
  }
}
