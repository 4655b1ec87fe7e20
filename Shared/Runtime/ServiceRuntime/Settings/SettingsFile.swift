import Configuration
import FoundationEssentials

/// The JSON file of settings: `{"log-level": "info", "identity": {"listen": "0.0.0.0:7401"}}`.
///
/// Keys at the top level are for every service that reads the file, those in an object for the service that it is named
/// after.
struct SettingsFile: Sendable {
  let path: String
  /// Every value as text, by its path of keys.
  let values: [[String]: String]

  /// Reads the file; an error is one line that names it.
  init(path: String) throws(StartupError) {
    self.path = path
    let bytes = try readFile(path, purpose: "the settings file")
    do {
      let tree = try JSONDecoder().decode([String: JSONNode].self, from: Data(bytes))
      var values: [[String]: String] = [:]
      for (key, node) in tree { node.flatten(at: [key], into: &values) }
      self.values = values
    } catch {
      throw StartupError(usage: "the settings file \(path) is not a JSON object of settings: \(Self.reason(error))")
    }
  }

  var provider: InMemoryProvider {
    InMemoryProvider(
      name: path,
      values: Dictionary(
        uniqueKeysWithValues: values.map { (AbsoluteConfigKey($0), ConfigValue(.string($1), isSecret: true)) }))
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "it is of another shape" }
    return context.underlyingError.map { "\($0)" } ?? context.debugDescription
  }
}

/// A JSON value whose scalars are kept as the text that a user would write for the setting.
private indirect enum JSONNode: Decodable, Sendable {
  case scalar(String)
  case object([String: JSONNode])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let object = try? container.decode([String: JSONNode].self) {
      self = .object(object)
    } else if let list = try? container.decode([String].self) {
      self = .scalar(list.joined(separator: ","))
    } else if let flag = try? container.decode(Bool.self) {
      self = .scalar(flag ? "true" : "false")
    } else if let number = try? container.decode(Int.self) {
      self = .scalar(String(number))
    } else if let number = try? container.decode(Double.self) {
      self = .scalar(String(number))
    } else {
      self = .scalar(try container.decode(String.self))
    }
  }

  func flatten(at path: [String], into values: inout [[String]: String]) {
    switch self {
    case .scalar(let text): values[path] = text
    case .object(let members): for (key, node) in members { node.flatten(at: path + [key], into: &values) }
    }
  }
}
