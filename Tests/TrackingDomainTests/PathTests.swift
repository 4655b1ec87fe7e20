import Foundation
import FoundationXML
import Geography
import Identifiers
import SeededNumbers
import Testing
import TrackingDomain

@Suite("paths")
struct PathTests {
  @Test("[TR-11] no point that is left out is further from the line than the tolerance", arguments: [1.0, 10, 100])
  func error(tolerance: Double) throws {
    var numbers = SplitMix(seed: 7)
    var (latitude, longitude) = (-17.0, 179.99)
    var points: [GeoPoint] = []
    for _ in 0..<1_500 {
      latitude += Double.random(in: -0.0001...0.0002, using: &numbers)
      longitude += Double.random(in: -0.0001...0.0003, using: &numbers)
      if longitude > 180 { longitude -= 360 }
      points.append(try #require(GeoPoint(latitude: latitude, longitude: longitude)))
    }
    let kept = PathSimplification.places(of: points, tolerance: Metres(tolerance))
    #expect(kept.first == 0 && kept.last == points.count - 1 && kept.count < points.count)
    for (first, last) in zip(kept, kept.dropFirst()) {
      for place in first..<last {
        // On so short a way the Earth is flat; an independent reckoning.
        #expect(Self.flat(points[place], points[first], points[last]) <= tolerance * 1.001 + 0.01)
      }
    }
  }

  /// Metres from a point to a segment in a plane.
  private static func flat(_ point: GeoPoint, _ first: GeoPoint, _ last: GeoPoint) -> Double {
    func plane(_ other: GeoPoint) -> (x: Double, y: Double) {
      var east = other.longitude - first.longitude
      if east < -180 { east += 360 }
      if east > 180 { east -= 360 }
      // The cosine of 17 degrees.
      return (east * 111_195 * 0.9563, (other.latitude - first.latitude) * 111_195)
    }
    let (p, b) = (plane(point), plane(last))
    let length = b.x * b.x + b.y * b.y
    let share = length == 0 ? 0 : max(0, min(1, (p.x * b.x + p.y * b.y) / length))
    let (dx, dy) = (p.x - share * b.x, p.y - share * b.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test("[TR-11] a path of few points, or all at one place, keeps its ends")
  func degenerate() throws {
    let point = try #require(GeoPoint(latitude: 1, longitude: 1))
    #expect(PathSimplification.places(of: [], tolerance: Metres(1)) == [])
    #expect(PathSimplification.places(of: [point], tolerance: Metres(1)) == [0])
    #expect(PathSimplification.places(of: Array(repeating: point, count: 9), tolerance: Metres(1)) == [0, 8])
  }

  @Test("[TR-11] a GPX document is well-formed, and has what the schema asks for in its order and ranges")
  func document() throws {
    let fixes = [(90.0, 180.0, nil), (-90, -180, -12.25), (-0.00000001, 0, 8_848)].enumerated().map { place, point in
      GeoPoint(latitude: point.0, longitude: point.1).map {
        Fix($0, at: Instant(microseconds: Int64(place) * 1_000_001), altitude: point.2)
      }
    }
    let text =
      GPXTrack.beginning("<Way> & \"home\" ]]>", at: Instant(microseconds: 1))
      + (try fixes.map { GPXTrack.point(try #require($0)) }.joined()) + GPXTrack.end
    let found = try GPXOutline(of: text)
    #expect(
      found.elements == [
        "gpx", "gpx/metadata", "gpx/metadata/time", "gpx/trk", "gpx/trk/name", "gpx/trk/trkseg",
        "gpx/trk/trkseg/trkpt", "gpx/trk/trkseg/trkpt/time", "gpx/trk/trkseg/trkpt", "gpx/trk/trkseg/trkpt/ele",
        "gpx/trk/trkseg/trkpt/time", "gpx/trk/trkseg/trkpt", "gpx/trk/trkseg/trkpt/ele", "gpx/trk/trkseg/trkpt/time",
      ])
    #expect(found.namespaces == ["http://www.topografix.com/GPX/1/1"])
    #expect(found.attributes.first == ["version": "1.1", "creator": "Tandem"])
    for point in found.attributes.dropFirst() {
      #expect(Set(point.keys) == ["lat", "lon"])
      let (latitude, longitude) = (try #require(Double(point["lat"] ?? "")), try #require(Double(point["lon"] ?? "")))
      // latitudeType and longitudeType; the latter ends below 180.
      #expect((-90...90).contains(latitude) && (-180..<180).contains(longitude))
    }
    #expect(found.texts["name"] == ["<Way> & \"home\" ]]>"])
    let decimals = try Regex("-?[0-9]+[.][0-9]+")
    #expect(try found.texts["ele", default: []].allSatisfy { try decimals.wholeMatch(in: $0) != nil })
    let moments = try Regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z")
    #expect(try found.texts["time", default: []].allSatisfy { try moments.wholeMatch(in: $0) != nil })
  }

  @Test("[TR-11] numbers of a GPX document have no exponent, and its longitudes end below 180")
  func numbers() throws {
    let point = try #require(GeoPoint(latitude: 0.00001, longitude: 180))
    let fix = Fix(point, at: Instant(microseconds: 0), altitude: -0.04)
    #expect(
      GPXTrack.point(fix)
        == "<trkpt lat=\"0.0000100\" lon=\"-180.0000000\"><ele>0.0</ele><time>1970-01-01T00:00:00.000000Z</time></trkpt>\n",
      "\(GPXTrack.point(fix))")
  }
}

/// The elements of a document, with their attributes and texts, in order.
private final class GPXOutline: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []
  private(set) var attributes: [[String: String]] = []
  private(set) var namespaces: Set<String> = []
  private(set) var texts: [String: [String]] = [:]
  private var path: [String] = []
  private var text = ""

  init(of document: String) throws {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.shouldProcessNamespaces = true
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes found: [String: String]
  ) {
    path.append(name)
    elements.append(path.joined(separator: "/"))
    namespaces.insert(namespaceURI ?? "")
    if !found.isEmpty { attributes.append(found) }
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    texts[name, default: []].append(text)
    text = ""
    path.removeLast()
  }
}
