import TTRPC
import TandemImporter
import TestSupport
import Testing

@Suite("laps of files", .ownThreads, .timeLimit(.minutes(5)))
struct KeptLapTests {
  @Test("[IM-10] I-15: laps of TCX are kept with what the source says beyond the model")
  func keptLaps() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(CornerTests.tcx)
      let lap = { (path: String) in
        try await importer.value("select raw::jsonb #>> '{laps,1,\(path)}' from activity_sources")
      }
      #expect(try await lap("start_time")?.hasPrefix("2025-06-01T08:15:00") == true)
      let said: [(String, String?)] = [
        ("elapsed_s", "600"), ("distance_m", "4000"), ("energy_kcal", "120"), ("heart_rate_avg_bpm", "130"),
        ("intensity", "Resting"), ("trigger", "Manual"),
      ]
      for (name, value) in said { #expect(try await lap(name) == value, "\(name)") }
      #expect(try await importer.value("select jsonb_array_length(raw::jsonb -> 'laps') from activity_sources") == "2")
    }
  }

  @Test("[IM-10] I-15: laps, lengths of a pool and temperatures of a FIT file are kept beside the model")
  func keptLengths() async throws {
    try await RunningImporter.with { importer in
      let start: UInt32 = 1_119_000_000
      func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
      var file = FITBytes()
      file.define(0, message: 20, [(253, 4, 0x86), (3, 1, 0x02), (13, 1, 0x01)])
      for second: UInt32 in [0, 30, 60] { file.data(0, le(start + second) + [130, 26]) }
      file.define(1, message: 101, [(2, 4, 0x86), (3, 4, 0x86), (5, 2, 0x84), (7, 1, 0), (12, 1, 0)])
      for length: UInt32 in [0, 1] {
        file.data(1, le(start + length * 30) + le(UInt32(28_500)) + le(UInt16(17)) + [2, 1])
      }
      file.define(2, message: 19, [(2, 4, 0x86), (7, 4, 0x86), (9, 4, 0x86), (15, 1, 0x02)])
      file.data(2, le(start) + le(UInt32(60_000)) + le(UInt32(5_000)) + [131])
      file.define(3, message: 18, [(2, 4, 0x86), (7, 4, 0x86), (5, 1, 0)])
      file.data(3, le(start) + le(UInt32(60_000)) + [5])
      let done = try await importer.importFile(file.whole)
      #expect(done.newActivities == 1)
      let raw = { (path: String) in
        try await importer.value("select raw::jsonb #>> '{\(path)}' from activity_sources")
      }
      let said: [(String, String?)] = [
        ("laps,0,distance_m", "50"), ("laps,0,heart_rate_avg_bpm", "131"), ("lengths,1,strokes", "17"),
        ("lengths,1,stroke", "breaststroke"), ("lengths,0,elapsed_s", "28.5"), ("lengths,2", nil),
        ("temperature,values,2", "26"), ("temperature,units", "C"),
      ]
      for (name, value) in said { #expect(try await raw(name) == value, "\(name)") }
    }
  }
}
