import FileUploads
import ImporterStore
import Postgres
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing

/// What a long archive has waits in the database, part by part, until the archive is read to its end.
@Suite("long archives are staged", .ownThreads, .timeLimit(.minutes(5)))
struct StagedFileTests {
  /// Outings of an hour that a reader tells at a time: 100,000 points.
  private static let part = 28

  /// An archive of outings of an hour, a day each, the last one first; `rounds` of the same.
  private static func archive(_ outings: Int, rounds: Int = 1, _ files: HostileFiles) throws -> [UInt8] {
    try files.made(
      by: """
        import gzip, struct, sys, zipfile
        with zipfile.ZipFile(sys.argv[1], 'w') as archive:
            for number in range(\(outings * rounds)):
                start = 1_080_000_000 - number % \(outings) * 86_400
                body = bytes([0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 3, 1, 2])
                body += b''.join(
                    struct.pack('<BIiiB', 0, start + s, 614_000_000 + s * 300, -1_430_000, 120 + s % 20) for s in range(3600))
                file = bytes([14, 0x20, 0x54, 0x08]) + struct.pack('<I', len(body)) + b'.FIT' + bytes(2) + body + bytes(2)
                archive.writestr(f'activities/{number}.fit.gz', gzip.compress(file, 1))
        """)
  }

  private static func staged(_ importer: RunningImporter) async throws -> Int {
    Int(try await importer.value("select count(*) from staged_reports") ?? "") ?? -1
  }

  /// How many activities are stored, and how many are staged.
  private static func counts(_ importer: RunningImporter) async throws -> [Int] {
    [try await importer.activityCount(), try await staged(importer)]
  }

  /// Uploads an archive as far as the server allows, and stops for `look` behind each of these shares of it.
  private static func upload(
    _ archive: [UInt8], _ importer: RunningImporter, lookingAt shares: [Double],
    _ look: @escaping @Sendable (Double) async throws -> Void
  ) async throws -> FileImport {
    try await importer.activities.importFile(TestUser.ada.options) { writer, responses in
      var responses = responses.makeAsyncIterator()
      var (sent, limit, shares) = (0, 0, shares[...])
      for start in stride(from: 0, to: archive.count, by: 65_536) {
        let chunk = Array(archive[start..<min(start + 65_536, archive.count)])
        while sent + chunk.count > limit {
          guard case .byteLimit(let bytes)? = try await responses.next()?.step else { throw UploadWithoutResult() }
          limit = Int(bytes)
        }
        try await writer.send(ImportFileRequest(chunk: chunk))
        sent += chunk.count
        if let share = shares.first, Double(sent) >= share * Double(archive.count) {
          shares.removeFirst()
          try await look(Double(sent) / Double(archive.count))
        }
      }
      writer.finish()
      while let response = try await responses.next() { if case .result(let result) = response.step { return result } }
      throw UploadWithoutResult()
    }
  }

  @Test(
    "[IM-10] I-3: of an archive two parts at most are in memory, however many outings have arrived; at its end all are stored"
  )
  func parts() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let outings = 150
        let archive = try Self.archive(outings, files)
        let done = try await Self.upload(archive, importer, lookingAt: [0.5, 0.9]) { share in
          let arrived = Int(share * Double(outings))
          try await until("all but two parts of \(arrived) outings are staged") {
            try await Self.staged(importer) >= arrived - 2 * Self.part
          }
          #expect(try await importer.activityCount() == 0, "nothing is stored before the end")
        }
        #expect(done.state == .done && done.newActivities == Int32(outings) && done.skippedCount == 0)
        #expect(try await Self.counts(importer) == [outings, 0])
        #expect(
          try await importer.value("select min(sample_count) || ' ' || max(sample_count) from activity_sources")
            == "3600 3600")
      }
    }
  }

  @Test(
    "[IM-8] [IM-10] I-3: what an archive has twice, parts apart, is stored once; best efforts and figures as without parts"
  )
  func repeated() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let staged = try await importer.importFile(try Self.archive(2 * Self.part, rounds: 2, files))
        #expect(staged.newActivities == Int32(2 * Self.part) && staged.mergedActivities == 0)
        // Too short for parts.
        let plain = try await importer.importFile(try Self.archive(2, files), as: .grace)
        #expect(plain.newActivities == 2)
        for columns in [
          "string_agg(encode(digest, 'hex') || external_id || encode(trace, 'hex') || encode(outline, 'hex'), ' ' order by started_at)",
          "string_agg(encode(track, 'hex') || south || north || west || east || coalesce(distance_m, 0), ' ' order by started_at)",
          "string_agg((select count(*) || ' ' || sum(effort.duration_s) from best_efforts as effort where source_id = source.id), ' ')",
        ] {
          let found = try await importer.sql(
            """
            select \(columns) from activity_sources as source
            where started_at >= (select min(started_at) from activity_sources where user_id = '\(TestUser.grace.id)')
            group by user_id order by user_id
            """)
          #expect(found.count == 2 && found.first == found.last)
        }
      }
    }
  }

  @Test("[IM-10] I-3: what is staged of an upload goes with its refusal; what is kept of a broken archive is stored")
  func refused() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let archive = try Self.archive(2 * Self.part + 8, files).dropLast(60_000)
        let refused = try await refusal { try await importer.importFile(Array(archive)) }
        #expect(refused.reason == "FILE_BROKEN", "\(refused)")
        #expect(try await Self.counts(importer) == [0, 0])
        let kept = try await importer.importFile(Array(archive), onFault: .keep)
        #expect(kept.fault != nil && kept.newActivities >= Int32(2 * Self.part))
        #expect(try await Self.counts(importer) == [Int(kept.newActivities), 0])
        // The same again, staged again, is known.
        let again = try await importer.importFile(Array(archive), onFault: .keep)
        #expect(again.knownActivities == kept.newActivities && again.newActivities == 0)
        #expect(try await Self.counts(importer) == [Int(kept.newActivities), 0])
      }
    }
  }

  @Test("[C-9] [IM-10] I-3: what is staged of an upload goes with the account, and the upload stores nothing")
  func deletedAccount() async throws {
    try await HostileFiles.with { files in
      try await RunningImporter.with { importer in
        let archive = try Self.archive(4 * Self.part, files)
        let refused = try await refusal {
          try await Self.upload(archive, importer, lookingAt: [0.5]) { _ in
            try await until("a part is staged") { try await Self.staged(importer) > 0 }
            try await importer.own.transaction { tx in
              for statement in ImporterSchema.removals { try await tx.execute(statement.init(userID: TestUser.ada.id)) }
            }
            #expect(try await importer.value("select count(*) from file_imports") == "0")
          }
        }
        #expect(refused.reason == "TOKEN_INVALID", "\(refused)")
        #expect(try await Self.counts(importer) == [0, 0])
      }
    }
  }

  @Test("[IM-10] I-3: what a process that died has staged is removed")
  func leftBehind() async throws {
    try await TestDatabase.with([RunningImporter.schema]) { database in
      let id = "01900000-0000-7000-8000-000000000001"
      try await database.sql(
        """
        insert into file_imports (id, user_id, state, format, new_activities, merged_activities, known_activities, step_days, sleep_count,
          weight_count, activity_ids, started_at)
        values ('\(id)', '\(TestUser.ada.id)', 'RUNNING', '', 0, 0, 0, 0, 0, 0, '{}', '2026-01-14T11:00:00Z');
        insert into staged_reports (import_id, provider, external_id, digest, sport, started_at, time_zone, duration_s, title, device,
          position_count, sample_count, trace, outline, effort_distances_m, effort_durations_s, staged_at)
        values ('\(id)', 'file', '1', '', 'RUN', now(), 'UTC', 1, '', '', 0, 0, '', '', '{}', '{}', '2026-01-14T11:00:00Z')
        """, in: "importer")
      try await RunningImporter.with(on: database) { importer in
        try await until("it is removed") { try await Self.staged(importer) == 0 }
      }
    }
  }
}
