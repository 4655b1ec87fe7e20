import Geography

/// The recorded way home of the tour.
struct TourTrack: Sendable {
  /// What it is called in the tour.
  let name: String
  let plan: ReplayPlan
  /// How many times as fast it is played.
  let speed: Double

  /// Where it ends.
  var destination: GeoPoint? { plan.steps.last?.place }

  /// Where a recording is, and how it is played.
  struct Source: Sendable {
    let name: String
    let recording: Recording.Source
    let speed: Double
    let maxPause: Duration
  }

  /// A run of a quarter of an hour, with a pause and a clock that went back once.
  private static let real = "shared/data/tracks/gpx-tcx-togeojson/run.gpx"

  /// Reads the recording of ``source(beside:)``.
  static func read(beside folder: String = Paths.currentFolder) async throws -> TourTrack {
    let source = source(beside: folder)
    let plan = ReplayPlan(try await Recording(source.recording), maxPause: source.maxPause)
    return TourTrack(name: source.name, plan: plan, speed: source.speed)
  }

  /// A real track where the public data sets are beside the project's folder; else a small sample, made by hand. Both last some seconds, and
  /// are slow enough to be believed but for the real one's jumps.
  static func source(beside folder: String) -> Source {
    let file = "\(Paths.parent(of: folder))/\(real)"
    guard Files.exists(file) else {
      return Source(
        name: "the sample of a walk", recording: .text(WayHomeRecording.gpx), speed: 120, maxPause: .seconds(600))
    }
    return Source(name: "../\(real)", recording: .file(file), speed: 60, maxPause: .seconds(30))
  }
}
