import Geography
import Identifiers

/// A document of GPX 1.1 with one track, in parts that are written in this order: the beginning, the points of a segment, for each
/// further segment ``nextSegment`` and its points, the end (https://www.topografix.com/GPX/1/1/).
///
/// What it makes is valid by the format's schema, whatever the texts and numbers are.
public enum GPXTrack {
  /// What comes before the points.
  ///
  /// - Parameters:
  ///   - name: what the track is called; any text.
  ///   - type: the kind of activity; any text.
  ///   - time: when the document or what it tells of began.
  ///   - namespaces: of what ``point(_:at:altitude:extensions:)`` is given as extensions, by prefix.
  public static func beginning(
    _ name: String, type: String? = nil, at time: Instant? = nil, namespaces: KeyValuePairs<String, String> = [:]
  ) -> String {
    let others = namespaces.map { " xmlns:\($0)=\"\($1)\"" }.joined()
    let metadata = time.map { "<metadata><time>\($0)</time></metadata>\n" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx xmlns="http://www.topografix.com/GPX/1/1"\(others) version="1.1" creator="Tandem">
      \(metadata)<trk><name>\(escaped(name))</name>\(type.map { "<type>\(escaped($0))</type>" } ?? "")<trkseg>

      """
  }

  /// One point on its line.
  ///
  /// - Parameters:
  ///   - altitude: in metres; left out unless it is a number that a decimal can hold.
  ///   - extensions: elements of other namespaces.
  public static func point(
    _ point: GeoPoint, at time: Instant, altitude: Double? = nil, extensions: String = ""
  ) -> String {
    // The schema's longitudes end below 180, also once they are rounded.
    let longitude = point.longitude > 179.99999995 ? -180 : point.longitude
    let elevation = altitude.flatMap { $0.magnitude < 1e9 ? "<ele>\(decimal($0, places: 2))</ele>" : nil } ?? ""
    return "<trkpt lat=\"\(decimal(point.latitude, places: 7))\" lon=\"\(decimal(longitude, places: 7))\">" + elevation
      + "<time>\(time)</time>" + (extensions.isEmpty ? "" : "<extensions>\(extensions)</extensions>") + "</trkpt>\n"
  }

  /// Between the points of two segments: nothing is known of the way from one to the other.
  public static let nextSegment = "</trkseg>\n<trkseg>\n"

  /// What comes behind the points.
  public static let end = "</trkseg></trk>\n</gpx>\n"

  /// A number without an exponent, as XML's `decimal` requires.
  private static func decimal(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int64((value.magnitude * scale).rounded())
    let (integer, fraction) = whole.quotientAndRemainder(dividingBy: Int64(scale))
    let digits = String(fraction)
    let sign = value < 0 && whole != 0 ? "-" : ""
    return "\(sign)\(integer).\(String(repeating: "0", count: places - digits.count))\(digits)"
  }

  /// Text of an element; characters that XML does not have are left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
