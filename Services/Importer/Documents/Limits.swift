import Geography
import Identifiers
import ImporterDomain

/// What a measured value may be: whatever is beyond is left out, because a provider's mistake must not spoil sums.
package enum Limits {
  /// A fortnight.
  package static let maxSeconds: Double = 1_209_600
  /// Samples of a track.
  package static let maxPoints = TrackCodec.maxPoints

  package static func seconds(_ value: JSONValue?) -> Double? {
    value?.double.flatMap { within($0, 0...maxSeconds) }
  }

  package static func metres(_ value: JSONValue?) -> Double? { value?.double.flatMap { within($0, 0...10_000_000) } }

  package static func energy(_ value: JSONValue?) -> Double? { value?.double.flatMap { within($0, 0...100_000) } }

  package static func heartRate(_ value: JSONValue?) -> Double? { value?.double.flatMap { within($0, 20...300) } }

  package static func steps(_ value: JSONValue?) -> Int64? {
    value?.integer.flatMap { (0...500_000).contains($0) ? $0 : nil }
  }

  package static func kilograms(_ value: Double?) -> Double? { value.flatMap { within($0, 1...700) } }

  /// A title without what hides text, cut to 200 characters.
  package static func title(_ value: JSONValue?) -> String {
    let scalars = (value?.text ?? "").unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
        && $0.properties.generalCategory != .format && $0.properties.generalCategory != .privateUse
    }
    return String(String.UnicodeScalarView(scalars.prefix(200)))
  }

  /// `[latitude, longitude]`.
  package static func position(_ value: JSONValue) -> GeoPoint? {
    guard let pair = value.list, pair.count == 2, let latitude = pair[0].double, let longitude = pair[1].double else {
      return nil
    }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  private static func within(_ number: Double, _ range: ClosedRange<Double>) -> Double? {
    range.contains(number) ? number : nil
  }
}
