/// A mistake in a file that the generator reads.
struct GeneratorError: Error, CustomStringConvertible {
  /// `path` or `path:line`.
  let place: String
  let reason: String

  var description: String { "\(place): \(reason)" }
}
