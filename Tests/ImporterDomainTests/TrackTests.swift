import Geography
import Identifiers
import ImporterDomain
import Testing

@Suite("tracks")
struct TrackTests {
  /// Northwards at `speed` metres per second with a point each ten seconds.
  private func street(_ points: Int, speed: Double = 3) -> Track {
    Track(
      points: (0..<points).map { index in
        TrackPoint(
          elapsedSeconds: Double(index) * 10,
          position: GeoPoint(latitude: 51.5 + Double(index) * 10 * speed / 111_195.08, longitude: -0.12),
          elevationMetres: Double(index % 10), heartRate: 140)
      })
  }

  @Test("[IM-7] a track comes back whole from its bytes, and other bytes are none")
  func codec() throws {
    let track = street(50)
    let bytes = TrackCodec.encode(track)
    let decoded = try #require(TrackCodec.decode(bytes))
    #expect(decoded.points.map(\.elapsedSeconds) == track.points.map(\.elapsedSeconds))
    #expect(decoded.points.map(\.heartRate) == track.points.map(\.heartRate))
    for (one, other) in zip(decoded.points, track.points) {
      let (near, far) = (try #require(one.position), try #require(other.position))
      #expect(near.distance(to: far).value < 0.02)
    }
    for length in 0..<bytes.count { #expect(TrackCodec.decode(Array(bytes.prefix(length))) == nil) }
    #expect(TrackCodec.decode([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
  }

  @Test("[IM-7] values of a track are rounded to the nearest, halves away from 0")
  func rounding() throws {
    let written = [0.5, 0.49999999999999994, 120.5, 120.499999, -0.5, -2.5, -2.4, 999_999_999.5]
    let track = Track(points: written.map { TrackPoint(elapsedSeconds: 0, heartRate: $0) })
    let decoded = try #require(TrackCodec.decode(TrackCodec.encode(track)))
    #expect(decoded.points.map(\.heartRate) == written.map { $0.rounded() })
  }

  @Test("[IM-10] a track with a time that no device has is encoded again without a trap")
  func farTime() throws {
    // One point at Int64.max milliseconds, as a zigzag varint.
    let bytes: [UInt8] = [0x02, 0x00, 0xFE] + [UInt8](repeating: 0xFF, count: 8) + [0x01]
    let track = try #require(TrackCodec.decode(bytes))
    #expect(TrackCodec.decode(TrackCodec.encode(track))?.points.count == 1)
  }

  @Test("[IM-11] a simplified track keeps its ends and its corner")
  func simplified() {
    var points = street(1_000).points
    for index in 500..<1_000 {
      points[index].position = GeoPoint(
        latitude: points[499].position?.latitude ?? 0, longitude: -0.12 + Double(index - 499) * 0.0004)
    }
    let simple = Track(points: points).simplified(to: 20, on: .assumed())
    #expect(simple.points.count == 20)
    #expect(simple.points.first == points.first && simple.points.last == points.last)
    #expect(simple.points.contains { abs($0.elapsedSeconds - 4_990) <= 10 })
  }

  @Test("[IM-11] splits are kilometres and the rest, and their times add up")
  func splits() {
    let splits = Progress(street(120), sport: .run, on: .assumed()).splits(every: 1_000)
    #expect(splits.count == 4)
    #expect(splits.dropLast().allSatisfy { abs($0.durationSeconds - 1_000 / 3) < 0.5 && $0.distanceMetres == 1_000 })
    #expect(abs(splits.reduce(0) { $0 + $1.durationSeconds } - 1_190) < 0.001)
    #expect(splits.allSatisfy { abs(($0.heartRateAverage ?? 0) - 140) < 1e-6 })
  }

  @Test("[IM-11] the fastest kilometre is found within an activity, and jumps of positions break no record")
  func fastest() throws {
    var points = street(100).points
    for index in 50..<100 { points[index].elapsedSeconds = 490 + Double(index - 49) * 5 }
    let time = try #require(Progress(Track(points: points), sport: .run, on: .assumed()).fastest(1_000))
    #expect(abs(time - 1_000 / 6) < 0.5)
    points[60].position = GeoPoint(latitude: 60, longitude: 10)
    #expect(Progress(Track(points: points), sport: .run, on: .assumed()).fastest(1_000) == nil)
  }

  @Test("[IM-7] what no tracker can measure is left out")
  func cleaning() {
    var activity = ImportedActivity(
      provider: "strava", externalID: "1", sport: .run, startedAt: Instant(microseconds: 0), timeZone: "",
      durationSeconds: -5, distanceMetres: .nan, heartRateAverage: 900, title: "a\0b")
    #expect(activity.cleaned?.durationSeconds == 0 && activity.cleaned?.distanceMetres == nil)
    #expect(activity.cleaned?.heartRateAverage == nil && activity.cleaned?.title == "ab")
    #expect(activity.cleaned?.timeZone == "UTC")
    activity.startedAt = Instant(microseconds: .max)
    #expect(activity.cleaned == nil)
  }
}
