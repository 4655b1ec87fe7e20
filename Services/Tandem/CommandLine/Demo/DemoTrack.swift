import Environment
import Geography
import Glibc
import Identifiers

/// A way through a city and what a phone or a watch records on it. It is no recording of a person: corners are from the map, and the wait at
/// them, the changing pace and the receiver's error are reckoned, the same each time.
struct DemoTrack: Sendable {
  /// Corners of the way.
  let corners: [GeoPoint]
  /// Metres a second, on the whole.
  let speed: Double
  /// Between positions, on the whole.
  let interval: Duration
  /// Positions that are recorded while the walker waits at a corner.
  var wait = 0

  /// Ways of walkers: along the Thames, through St James's Park, and up to the British Museum.
  static let walks: [DemoTrack] = [
    walk([(51.5079, -0.0877), (51.5072, -0.0960), (51.5076, -0.1030), (51.5071, -0.1110), (51.5033, -0.1195)]),
    walk([(51.5013, -0.1419), (51.5025, -0.1360), (51.5033, -0.1310), (51.5007, -0.1265), (51.5033, -0.1195)]),
    walk([(51.5194, -0.1270), (51.5152, -0.1250), (51.5113, -0.1236), (51.5080, -0.1225), (51.5033, -0.1195)]),
  ].compactMap { $0 }

  /// A lap of Hyde Park, for runs.
  static let lap = corners([
    (51.5027, -0.1527), (51.5130, -0.1590), (51.5115, -0.1740), (51.5075, -0.1750), (51.5050, -0.1690),
    (51.5027, -0.1527),
  ])

  private static func walk(_ places: [(Double, Double)]) -> DemoTrack? {
    let corners = corners(places)
    return corners.count == places.count ? DemoTrack(corners: corners, speed: 1.4, interval: .seconds(5), wait: 6) : nil
  }

  private static func corners(_ places: [(Double, Double)]) -> [GeoPoint] {
    places.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
  }

  /// A GPX file whose first position is of that moment, with height and heart rate.
  func gpx(named name: String, type: String, from start: Instant) -> String {
    var time = start
    let points = places.enumerated().map { index, place -> String in
      let beat = Double(index)
      let unevenness: Double = 0.15 * sin(beat / 9) + 0.1 * sin(beat * 1.7)
      defer { time = time + interval * (1 + unevenness) }
      let height: Double = 12 + 9 * sin(beat / 40)
      let heart = Int(128 + 14 * sin(beat / 25) + min(beat, 40) / 2)
      let found = Self.received(place, beat)
      return """
        <trkpt lat="\(found.latitude)" lon="\(found.longitude)"><ele>\((height * 10).rounded() / 10)</ele>\
        <time>\(time)</time><extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(heart)</gpxtpx:hr>\
        </gpxtpx:TrackPointExtension></extensions></trkpt>
        """
    }
    return """
      <gpx version="1.1" creator="Tandem demonstration" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><name>\(name)</name>\
      <type>\(type)</type><trkseg>\(points.joined())</trkseg></trk></gpx>
      """
  }

  /// Where the walker is, one for each position: those on the way, and those of the waits at corners.
  private var places: [GeoPoint] {
    let step = speed * (interval / .seconds(1))
    var places: [GeoPoint] = []
    for (from, to) in zip(corners, corners.dropFirst()) {
      let count = max(1, Int(Self.metres(from, to) / step))
      if !places.isEmpty { places += Array(repeating: from, count: wait) }
      for index in 0..<count { places.append(Self.between(from, to, Double(index) / Double(count))) }
    }
    return places + corners.suffix(1)
  }

  /// Where a receiver places it, which is wrong by some metres, and by nearly as much a moment later.
  private static func received(_ place: GeoPoint, _ beat: Double) -> GeoPoint {
    let north: Double = 3 * sin(beat / 8) + sin(beat / 2.3)
    let east: Double = 3 * cos(beat / 9) + sin(beat / 1.9)
    let latitude: Double = place.latitude + north / 111_195
    let longitude: Double = place.longitude + east / (111_195 * cos(place.latitude * .pi / 180))
    return GeoPoint(latitude: rounded(latitude), longitude: rounded(longitude)) ?? place
  }

  /// As many decimals as receivers write.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }

  /// Good enough within a city.
  private static func metres(_ from: GeoPoint, _ to: GeoPoint) -> Double {
    let north = (to.latitude - from.latitude) * 111_195
    let east = (to.longitude - from.longitude) * 111_195 * cos(from.latitude * .pi / 180)
    return (north * north + east * east).squareRoot()
  }

  private static func between(_ from: GeoPoint, _ to: GeoPoint, _ share: Double) -> GeoPoint {
    GeoPoint(
      latitude: from.latitude + (to.latitude - from.latitude) * share,
      longitude: from.longitude + (to.longitude - from.longitude) * share) ?? from
  }
}
