import Foundation
import TTRPC
import TandemImporter
import TestSupport
import Testing

@Suite("files that are not what they say", .ownThreads, .timeLimit(.minutes(5)))
struct HonestFileTests {
  @Test("[IM-10] I-16: a gzip file whose checksum does not fit is refused, and in an archive passed over")
  func checksum() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let good = try files.gzipped(MadeFile.gpx())
        var bad = good
        bad[bad.count - 7] ^= 0x55
        let refused = try await refusal { try await importer.importFile(bad) }
        #expect(refused.reason == "FILE_BROKEN" && "\(refused)".contains("checksum"), "\(refused)")
        importer.clock.advance(by: .seconds(1))
        let done = try await importer.importFile(MadeFile.zip([("a.gpx.gz", bad), ("b.gpx.gz", good)]))
        #expect(done.newActivities == 1 && done.skipped.map(\.member) == ["a.gpx.gz"])
      }
    }
  }

  @Test("[IM-10] I-16: titles of files have no marks that turn text around, and a walk on a treadmill is a walk")
  func titles() async throws {
    try await RunningImporter.with { importer in
      let file = String(decoding: MadeFile.gpx(sport: "walking.treadmill"), as: UTF8.self)
        .replacing(
          "Street &amp; park",
          with: "Run \u{202E}gpj.exe\u{2066} \u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}")
      _ = try await importer.importFile(Array(file.utf8))
      let walk = try #require(try await importer.listed().first)
      #expect(walk.sport == .walk)
      // What joins letters stays.
      #expect(walk.title == "Run gpj.exe \u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}")
    }
  }
}
