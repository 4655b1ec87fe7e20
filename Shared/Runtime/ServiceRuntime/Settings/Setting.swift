/// One setting, declared once: parsing, validation, help and the listing all come from this declaration.
public struct Setting<Value: Sendable>: Sendable {
  /// The setting without its type.
  public let description: SettingDescription
  let parse: @Sendable (String) -> Value?
  /// The value when the setting is not set; nil when it must be set.
  let absent: Value?

  /// A setting with a default, which is written as a user would write it.
  public init(_ key: String, _ kind: SettingKind<Value>, default text: String, meaning: String) {
    guard let value = kind.parse(text) else { preconditionFailure("the default of \(key) is not \(kind.expected)") }
    self.init(key, kind, defaultText: text, absent: value, meaning: meaning)
  }

  /// A setting that must be set before the service can serve.
  public static func required(
    _ key: String, _ kind: SettingKind<Value>, meaning: String, secrecy: Secrecy = .open
  ) -> Setting {
    Setting(key, kind, defaultText: nil, absent: nil, meaning: meaning, secrecy: secrecy)
  }

  /// A setting that may be left out.
  public static func optional<Wrapped>(
    _ key: String, _ kind: SettingKind<Wrapped>, meaning: String, secrecy: Secrecy = .open
  ) -> Setting where Value == Wrapped? {
    let wrapping = SettingKind<Value>(kind.name, expected: kind.expected) { text in kind.parse(text).map { .some($0) } }
    return Setting(key, wrapping, defaultText: nil, absent: .some(nil), meaning: meaning, secrecy: secrecy)
  }

  private init(
    _ key: String, _ kind: SettingKind<Value>, defaultText: String?, absent: Value?, meaning: String,
    secrecy: Secrecy = .open
  ) {
    parse = kind.parse
    self.absent = absent
    description = SettingDescription(
      key: key, type: kind.name, expected: kind.expected, defaultText: defaultText, meaning: meaning,
      secrecy: secrecy, isRequired: absent == nil, isFlag: Value.self == Bool.self,
      accepts: { kind.parse($0) != nil })
  }
}

extension Setting where Value == Duration {
  /// A setting whose default is a constant of the part that it configures.
  init(_ key: String, _ kind: SettingKind<Duration>, default value: Duration, meaning: String) {
    self.init(key, kind, default: value.settingText, meaning: meaning)
  }
}

/// Whether a setting's value may be shown.
public enum Secrecy: Sendable, Equatable {
  /// Shown unchanged, except for a password in a URL.
  case open
  /// Never shown; may also be read from the file that `…-file` names.
  case secret
  /// A URL whose password is never shown; may also be read from the file that `…-file` names.
  case secretURL
  /// URLs separated by commas, whose users, passwords and tokens are never shown; may also be read from the file that `…-file` names.
  case secretURLs

  /// The value in a form that listings, logs and messages may show.
  func shown(_ text: String) -> String {
    switch self {
    case .open: text.contains("://") ? Self.withoutPassword(text) : text
    case .secret: "(secret)"
    case .secretURL: Self.withoutPassword(text)
    case .secretURLs: text.split(separator: ",").map { Self.withoutUser($0) }.joined(separator: ",")
    }
  }

  /// Replaces everything before a URL's host; it may be a user, a password or a token.
  private static func withoutUser(_ url: some StringProtocol) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return "(secret)" }
    guard let at = url.lastIndex(of: "@"), at >= start else { return String(url) }
    return url[..<start] + "***" + url[at...]
  }

  /// Replaces the password of a URL's user part and of a `password=` parameter.
  private static func withoutPassword(_ url: String) -> String {
    guard let schemeEnd = url.firstRange(of: "://")?.upperBound else { return "(secret)" }
    let pathStart = url[schemeEnd...].firstIndex(where: { $0 == "?" }) ?? url.endIndex
    var authority = String(url[schemeEnd..<pathStart])
    if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
      authority.replaceSubrange(authority.index(after: colon)..<at, with: "***")
    }
    let query = url[pathStart...].split(separator: "&", omittingEmptySubsequences: false).map { part in
      let name = part.drop { $0 == "?" }.prefix { $0 != "=" }
      return name == "password" || name == "sslpassword" ? "\(part.first == "?" ? "?" : "")\(name)=***" : String(part)
    }
    return url[..<schemeEnd] + authority + query.joined(separator: "&")
  }
}

/// A setting without its Swift type: what listings, help and validation need.
public struct SettingDescription: Sendable {
  /// Lower-case words joined by dashes, e.g. `database-url`.
  public let key: String
  /// The type's name in listings.
  public let type: String
  /// Completes the sentence "… is not".
  public let expected: String
  /// The default as a user would write it; nil when there is none.
  public let defaultText: String?
  /// The purpose, in one sentence, with the unit where the value has none of its own.
  public let meaning: String
  /// Whether the value may be shown.
  public let secrecy: Secrecy
  /// Whether `serve` needs it to be set.
  public let isRequired: Bool
  /// Whether the bare option means `true`.
  public let isFlag: Bool
  /// Whether a text is a valid value.
  let accepts: @Sendable (String) -> Bool

  /// The key of the setting that names a file with the value; nil where the setting is not a secret.
  var fileKey: String? { secrecy == .open ? nil : "\(key)-file" }

  /// The environment variable for all services, e.g. `TANDEM_DATABASE_URL`.
  public var environmentName: String { isStandard ? Self.standardName(key) : Self.environmentName(key) }

  /// Whether OpenTelemetry defines the setting and its variable, which then has no prefix: `OTEL_EXPORTER_OTLP_ENDPOINT`.
  var isStandard: Bool { Self.isStandard(key) }

  static func isStandard(_ key: String) -> Bool { key.hasPrefix("otel-") }

  static func standardName(_ key: String) -> String {
    String(key.uppercased().map { $0 == "-" ? "_" : $0 })
  }

  static func environmentName(_ key: String) -> String {
    "TANDEM_" + String(key.uppercased().map { $0 == "-" ? "_" : $0 })
  }
}
