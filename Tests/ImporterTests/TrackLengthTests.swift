import FileContents
import ImporterDomain
import TandemImporter
import Testing

@Suite("long tracks", .ownThreads, .timeLimit(.minutes(5)))
struct TrackLengthTests {
  @Test("[IM-10] a track of as many points as a file may have is stored and read whole")
  func longest() throws {
    let points = (0..<FileLimits.points).map { TrackPoint(elapsedSeconds: Double($0), heartRate: 120) }
    let track = Track(points: points)
    #expect(TrackCodec.decode(TrackCodec.encode(track))?.points.count == FileLimits.points)
    #expect(track.storable.points.count == FileLimits.points)
  }

  @Test("[IM-10] no sample of a long file is lost on its way into the database")
  func imported() async throws {
    try await RunningImporter.with { importer in
      let done = try await importer.importFile(MadeFile.fit(points: 160_000))
      #expect(done.newActivities == 1)
      #expect(try await importer.value("select sample_count from activity_sources") == "160000")
    }
  }
}
