import Foundation
import GPX
import Geography
import Identifiers
import TestSupport
import Testing

@Suite("documents of GPX", .ownThreads)
struct GPXTrackTests {
  private static func point(
    _ latitude: Double, _ longitude: Double, altitude: Double? = nil, extensions: String = ""
  ) throws -> String {
    let point = try #require(GeoPoint(latitude: latitude, longitude: longitude))
    return GPXTrack.point(point, at: Instant(microseconds: 1_000_001), altitude: altitude, extensions: extensions)
  }

  private static func faults(in text: String) throws -> [String] { try GPXSchema.faults(in: Array(text.utf8)) }

  @Test(
    "[TR-11] [IM-11] a document is valid by the schema, whatever its name",
    arguments: [
      "", "Way", "<Way> & \"home\" ]]>", "a\u{0}b\u{1F}c\u{FFFE}\u{FFFF}", "\u{202E}ק 𝄞 e\u{301}\r\n\t\u{85}\u{2028}",
      "<!-- -->", "<![CDATA[", "&#0;",
    ])
  func names(name: String) throws {
    let text =
      GPXTrack.beginning(name, type: name, at: Instant(microseconds: -1)) + (try Self.point(1, 2)) + GPXTrack.end
    #expect(try Self.faults(in: text) == [])
  }

  @Test("[TR-11] [IM-11] characters of a name that mean something in XML are escaped, those that XML lacks left out")
  func escapes() {
    #expect(GPXTrack.beginning("<a> & \"b\"\u{0}\u{8}\u{FFFF}").contains("<name>&lt;a&gt; &amp; \"b\"</name>"))
  }

  @Test("[TR-11] [IM-11] no point makes a document invalid: poles, antimeridian, small and huge numbers, none")
  func points() throws {
    let hostile = [
      (90.0, 180.0, nil), (-90, -180, -12.25), (-0.00000001, 179.99999999, 8_848), (1e-300, -1e-300, 1e-300),
      (0, 0, .nan), (0, 0, .infinity), (0, 0, 1e300),
    ]
    let text = try hostile.map { try Self.point($0.0, $0.1, altitude: $0.2) }.joined()
    #expect(!text.contains("lon=\"180") && !text.contains("e-"))
    for body in [
      text, "", GPXTrack.nextSegment, text + GPXTrack.nextSegment + text,
      GPXTrack.nextSegment + text + GPXTrack.nextSegment,
    ] {
      #expect(try Self.faults(in: GPXTrack.beginning("Way") + body + GPXTrack.end) == [])
    }
  }

  @Test("[TR-11] a point has its numbers as decimals without exponents, with longitudes below 180")
  func numbers() throws {
    #expect(
      try Self.point(0.00001, 180, altitude: -0.004)
        == "<trkpt lat=\"0.0000100\" lon=\"-180.0000000\"><ele>0.00</ele><time>1970-01-01T00:00:01.000001Z</time></trkpt>\n"
    )
  }

  @Test("[IM-11] elements of other namespaces are the extensions of a point")
  func extensions() throws {
    let beginning = GPXTrack.beginning("Way", namespaces: ["a": "urn:a"])
    let point = try Self.point(1, 2, extensions: "<a:b>1</a:b>")
    #expect(try Self.faults(in: beginning + point + GPXTrack.end) == [])
    let undeclared = GPXTrack.beginning("Way") + point + GPXTrack.end
    #expect(try Self.faults(in: undeclared) != [])
  }

  @Test(
    "[TR-11] a broken document is refused, with what is wrong in it",
    arguments: [
      (#" version="1.1""#, "", "'version' is required"), (#"version="1.1""#, #"version="1.0""#, "fixed value"),
      (#" lat="1.0000000""#, "", "'lat' is required"), (#"lat="1.0000000""#, #"lat="90.0000001""#, "maxInclusive"),
      (#"lon="2.0000000""#, #"lon="180.0""#, "maxExclusive"), (#"lat="1.0000000""#, #"lat="1e-05""#, "latitudeType"),
      (#"lat="1.0000000""#, #"lat="NaN""#, "latitudeType"), ("1970-01-01T", "1970-01-01 ", "xs:dateTime"),
      ("<ele>3.00</ele>", "<ele></ele>", "xs:decimal"), ("<name>Way</name>", "<title>Way</title>", "title"),
      ("<trkpt", "<ele>1</ele><trkpt", "not expected"), ("</trkseg></trk>", "</trk>", "mismatch"),
      ("<name>Way", "<name>Way & so", "error"), ("http://www.topografix.com/GPX/1/1", "http://example.org", "gpx"),
    ])
  func broken(part: String, other: String, fault: String) throws {
    let good = GPXTrack.beginning("Way") + (try Self.point(1, 2, altitude: 3)) + GPXTrack.end
    #expect(try Self.faults(in: good) == [])
    let bad = good.replacing(part, with: other)
    #expect(bad != good)
    let faults = try Self.faults(in: bad)
    #expect(faults.contains { $0.contains(fault) }, "\(faults)")
  }

  private static let all = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/tracks/gpx-gpxpy/gpx1.1_with_all_fields.gpx").standardizedFileURL

  @Test(
    "[TR-11] the schema accepts a document of another program that has every element of the format",
    .enabled(if: FileManager.default.fileExists(atPath: all.path), "../shared/data/tracks is absent"))
  func everyElement() throws {
    #expect(try GPXSchema.faults(in: [UInt8](try Data(contentsOf: Self.all))) == [])
  }
}
