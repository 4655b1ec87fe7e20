/// What is wrong with the contract, and where: `tandem/x.proto:12: tandem.x.v1.Service.Method: no access declared`.
struct GeneratorError: Error, Equatable, CustomStringConvertible {
  /// Path of the .proto file, as its importers write it; empty when the fault is not in a file.
  var file: String = ""
  /// From 1; 0 when the descriptors came without source information.
  var line: Int = 0
  /// Full name of the element.
  var element: String
  /// What is wrong and what to do.
  var reason: String

  var description: String {
    let place = file.isEmpty ? "" : line > 0 ? "\(file):\(line): " : "\(file): "
    return "\(place)\(element): \(reason)"
  }
}
