import Identifiers

/// A path as a document of GPX 1.1 (http://www.topografix.com/GPX/1/1/gpx.xsd), in parts ([TR-11]).
public enum GPXTrack {
  /// What comes before the points.
  ///
  /// - Parameter name: what the track is called; any text.
  public static func beginning(_ name: String, at time: Instant) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Tandem">
    <metadata><time>\(time)</time></metadata>
    <trk><name>\(escaped(name))</name><trkseg>

    """
  }

  /// One point on its line.
  public static func point(_ fix: Fix) -> String {
    // The schema's longitudes end below 180.
    let longitude = fix.point.longitude == 180 ? -180 : fix.point.longitude
    let altitude = fix.altitude.map { "<ele>\(decimal($0, places: 1))</ele>" } ?? ""
    return "<trkpt lat=\"\(decimal(fix.point.latitude, places: 7))\" lon=\"\(decimal(longitude, places: 7))\">"
      + altitude + "<time>\(fix.time)</time></trkpt>\n"
  }

  /// What comes behind the points.
  public static let end = "</trkseg></trk>\n</gpx>\n"

  /// A number without an exponent, as XML's `decimal` requires.
  static func decimal(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int64((value.magnitude * scale).rounded())
    let (integer, fraction) = whole.quotientAndRemainder(dividingBy: Int64(scale))
    let digits = String(fraction)
    let sign = value < 0 && whole != 0 ? "-" : ""
    return "\(sign)\(integer).\(String(repeating: "0", count: places - digits.count))\(digits)"
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
