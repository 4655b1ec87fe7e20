import FileContents
import TTRPC
import TandemImporter
import TestSupport
import Testing

@testable import ActivityFiles

@Suite("files that are uploaded again", .ownThreads, .timeLimit(.minutes(15)))
struct RepeatedFileTests {
  /// The files of which each has a triathlon: alone, with its sessions in another order, in an archive, and there twice.
  private static let forms: [(name: String, bytes: [UInt8])] = {
    let file = MadeFile.triathlon()
    return [
      ("alone", file), ("another order", MadeFile.triathlon(sessions: [2, 0, 1])),
      ("in an archive", MadeFile.zip([("activities/7.fit", file)])),
      ("twice in an archive", MadeFile.zip([("a/7.fit", file), ("b/7 (1).fit", file)])),
    ]
  }()

  @Test("[IM-8] a FIT file of several sessions is known again, alone, in another order and in an archive")
  func sessions() async throws {
    try await RunningImporter.with { importer in
      let first = try await importer.importFile(Self.forms[0].bytes)
      #expect(first.newActivities == 3)
      for form in Self.forms {
        let again = try await importer.importFile(form.bytes, zone: "Europe/Berlin")
        #expect(
          again.newActivities == 0 && again.mergedActivities == 0 && again.knownActivities == 3,
          "\(form.name): \(again)")
      }
      #expect(try await importer.value("select count(*) from activity_sources") == "3")
    }
  }

  @Test("[IM-8] an archive that has a FIT file of several sessions twice brings each once")
  func twice() async throws {
    try await RunningImporter.with { importer in
      let first = try await importer.importFile(Self.forms[3].bytes)
      #expect(first.newActivities == 3 && first.mergedActivities == 0 && first.knownActivities == 0)
      #expect(try await importer.listed().count == 3)
      #expect(try await importer.importFile(Self.forms[0].bytes).knownActivities == 3)
    }
  }

  @Test("[IM-8] sessions that an earlier version stored under other ids are not stored as further activities")
  func otherVersion() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(Self.forms[0].bytes)
      try await importer.sql("update activity_sources set external_id = 'earlier ' || external_id")
      for form in Self.forms {
        let again = try await importer.importFile(form.bytes)
        #expect(again.newActivities == 0, "\(form.name): \(again)")
      }
      let counts = try await importer.sql(
        "select count(*) from activity_sources group by activity_id order by activity_id")
      #expect(counts == [["2"], ["2"], ["2"]])
    }
  }

  @Test(
    "[IM-8] every real FIT file is known again, alone and in an archive of all",
    .enabled(if: SharedTracks.isPresent, SharedTracks.comment))
  func real() async throws {
    let rows = SharedTracks.rows.filter { $0.format == "fit" && $0.error.isEmpty }
    let files = try rows.map { (name: "all/" + $0.path, bytes: try SharedTracks.bytes($0.path)) }
    try await RunningImporter.with { importer in
      let first = try await importer.importFile(MadeFile.zip(files))
      #expect(first.newActivities > 0)
      let stored = try await importer.value("select count(*) from activity_sources")
      for file in files {
        let again = try await importer.importFile(file.bytes)
        #expect(again.newActivities == 0 && again.mergedActivities == 0, "\(file.name): \(again)")
      }
      #expect(try await importer.importFile(MadeFile.zip(files.reversed())).newActivities == 0)
      #expect(try await importer.value("select count(*) from activity_sources") == stored)
    }
  }
}
