import FITFormat
import FileContents
import ImporterDomain
import Testing

@testable import ActivityFiles

@Suite("files of trackers", .enabled(if: SharedTracks.isPresent, SharedTracks.comment))
struct TrackFileTests {
  @Test(
    "[IM-10] a good GPX file has the segments, points, waypoints and route points that are counted in it",
    arguments: SharedTracks.rows.filter { $0.format == "gpx" && $0.error.isEmpty })
  func gpx(row: SharedTracks.Row) throws {
    let (document, fault) = try read(row.path, GPXDocument())
    #expect(fault == nil)
    #expect(document.counts.segments == row.segments)
    #expect(document.counts.points == row.points)
    #expect(document.counts.timed == row.timed)
    #expect(document.counts.waypoints == row.waypoints)
    #expect(document.counts.routePoints == row.routePointsOrRecords)
  }

  @Test(
    "[IM-10] a good TCX file has the tracks and points that are counted in it",
    arguments: SharedTracks.rows.filter { $0.format == "tcx" && $0.error.isEmpty })
  func tcx(row: SharedTracks.Row) throws {
    let (document, fault) = try read(row.path, TCXDocument())
    #expect(fault == nil)
    #expect(document.segments == row.segments)
    #expect(document.points == row.points)
    #expect(document.timed == row.timed)
  }

  @Test(
    "[IM-10] a good FIT file has the records that are counted in it",
    arguments: SharedTracks.rows.filter { $0.format == "fit" && $0.error.isEmpty })
  func fit(row: SharedTracks.Row) throws {
    let bytes = try SharedTracks.bytes(row.path)
    var found = FITActivities()
    var fault: FITFault?
    bytes.withUnsafeBytes { bytes in
      do throws(FITFault) { try FITReader.read(bytes) { found.add($0) } } catch { fault = error }
    }
    #expect(fault == nil, "\(String(describing: fault))")
    #expect(found.records == row.routePointsOrRecords)
  }

  @Test(
    "[IM-10] a broken file has its fault with the place, and what is whole before it",
    arguments: SharedTracks.rows.filter { !$0.error.isEmpty })
  func broken(row: SharedTracks.Row) throws {
    let content = ActivityFile.read(MemorySource(try SharedTracks.bytes(row.path)), zone: "UTC")
    let fault = try #require(content.fault)
    #expect(fault.kind == .broken)
    switch row.path.split(separator: "/").last {
    case "nick.fit":
      #expect(fault.offset == 403_456)
      #expect(content.batch.activities.contains { ($0.track?.points.count ?? 0) > 1_000 })
    case "strava-android-app-201.10-b1218918.fit":
      #expect(fault.offset == 7_471 && fault.message.contains("11"))
      #expect(!content.batch.activities.isEmpty)
    default: #expect(fault.line > 1)
    }
  }

  @Test("[IM-10] content of a file comes whole through the bytes between two processes", arguments: SharedTracks.rows)
  func codec(row: SharedTracks.Row) throws {
    let content = ActivityFile.read(MemorySource(try SharedTracks.bytes(row.path)), zone: "UTC")
    let bytes = ContentCodec.encode(content)
    let whole = ContentCodec.decode(bytes, on: .assumed())
    let decoded = try #require(whole)
    #expect(decoded.fault == content.fault && decoded.format == content.format)
    #expect(decoded.batch.activities.map(\.startedAt) == content.batch.activities.map(\.startedAt))
    #expect(
      decoded.batch.activities.map { $0.track?.points.count } == content.batch.activities.map { $0.track?.points.count }
    )
    for length in stride(from: 0, to: 200, by: 7) {
      let cut = ContentCodec.decode(Array(bytes.dropLast().prefix(length)), on: .assumed())
      #expect(cut == nil)
    }
  }

  private func read<V: XMLVisitor>(_ path: String, _ visitor: V) throws -> (V, ActivityFileFault?) {
    var source = MemorySource(try SharedTracks.bytes(path))
    do throws(ActivityFileFault) { try XMLReader.read(&source, visitor) } catch { return (visitor, error) }
    return (visitor, nil)
  }
}
