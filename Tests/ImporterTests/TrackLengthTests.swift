import FileContents
import ImporterDomain
import TTRPC
import TandemImporter
import TestSupport
import Testing

@testable import ActivityFiles

@Suite("long tracks", .ownThreads, .timeLimit(.minutes(15)))
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

  @Test("[IM-10] a FIT file of more points than an activity may have is refused, or kept up to there, and says so")
  func tooLong() async throws {
    try await RunningImporter.with { importer in
      let file = MadeFile.fit(points: FileLimits.points + 1)
      let refused = try await refusal { try await importer.importFile(file) }
      #expect(refused.code == .invalidArgument && refused.reason == "FILE_TOO_MUCH", "\(refused)")
      #expect(try await importer.listed().isEmpty)
      let kept = try await importer.importFile(file, onFault: .keep)
      #expect(kept.newActivities == 1 && kept.fault?.message.contains("\(FileLimits.points)") == true)
      let byte = kept.fault?.byteOffset ?? 0
      #expect(byte > 0 && byte < file.count)
      // The session, which comes last, says what it was.
      let rows = try await importer.sql("select sample_count, sport from activity_sources")
      #expect(rows == [["\(FileLimits.points)", "RUN"]])
    }
  }

  @Test(
    "[IM-10] a FIT file of more sessions or weighings than a file may have says so",
    arguments: [(message: 18, most: FileLimits.activities), (message: 30, most: FileLimits.measurements)])
  func tooMany(message: Int, most: Int) {
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    var file = FITBytes()
    file.define(0, message: UInt16(message), [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (0, 2, 0x84)])
    for number in 0...UInt32(most) {
      let time = bytes(1_119_000_000 + number * 10)
      file.data(0, time + time + bytes(9_000) + [0x40, 0x1F])
    }
    let content = ActivityFile.read(MemorySource(file.whole), zone: "UTC")
    #expect(content.fault?.kind == .tooMuch && content.fault?.offset ?? 0 > 0)
    #expect(content.batch.activities.count + content.batch.weights.count == most)
  }
}
