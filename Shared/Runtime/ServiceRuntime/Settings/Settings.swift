import ClientAddresses
import Configuration
import Glibc
import TTRPC

/// The sources of settings; tests pass their own.
public struct SettingSources: Sendable {
  /// The words after the command's name.
  public var arguments: [String]
  /// The environment variables.
  public var environment: [String: String]

  public init(arguments: [String] = [], environment: [String: String] = [:]) {
    self.arguments = arguments
    self.environment = environment
  }
}

extension SettingSources {
  /// The variables of this process, read without Foundation: a start needs nothing else of it, and it would be read
  /// into memory for this.
  static var processEnvironment: [String: String] {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      place += 1
    }
    return variables
  }
}

/// A service's settings, all validated.
public struct Settings: Sendable {
  /// In the order of their declaration.
  let resolved: [ResolvedSetting]
  /// Warnings that do not prevent a start, one line each.
  public let warnings: [String]
  private let byKey: [String: ResolvedSetting]

  init(resolved: [ResolvedSetting], warnings: [String]) {
    self.resolved = resolved
    self.warnings = warnings
    byKey = Dictionary(uniqueKeysWithValues: resolved.map { ($0.setting.key, $0) })
  }

  /// The value of a declared setting.
  public subscript<Value>(_ setting: Setting<Value>) -> Value {
    guard let found = byKey[setting.description.key] else {
      preconditionFailure("the setting \(setting.description.key) is not among the service's declared settings")
    }
    if let text = found.text, let value = setting.parse(text) { return value }
    guard let value = setting.absent else {
      preconditionFailure("the required setting \(setting.description.key) was read without having been required")
    }
    return value
  }

  /// The file that a setting's value was read from; nil when it was set directly.
  func file<Value>(of setting: Setting<Value>) -> String? { byKey[setting.description.key]?.file }

  /// Where a setting was set; nil when it has its default.
  public func origin<Value>(of setting: Setting<Value>) -> String? { byKey[setting.description.key]?.origin }

  /// Resolves every declared setting: command line over environment over file, within each the service's own over the
  /// one for all services.
  ///
  /// - Throws: one error with a line for each problem.
  public static func resolve(
    _ declared: [SettingDescription], service: String, from sources: SettingSources,
    requiring: Requirement = .everything
  ) throws(StartupError) -> Settings {
    var resolution = SettingsResolution(declared: declared, service: service, sources: sources)
    let resolved = resolution.run(requiring)
    guard resolution.problems.isEmpty else { throw StartupError(usage: resolution.problems) }
    return Settings(resolved: resolved, warnings: resolution.warnings)
  }

  /// The settings that must be set.
  public enum Requirement: Sendable {
    /// All that are declared as required, to run the service.
    case everything
    /// These keys, for a part of the work that does not need the others.
    case only(Set<String>)
    /// None, to list the settings.
    case nothing

    func includes(_ key: String) -> Bool {
      switch self {
      case .everything: true
      case .only(let keys): keys.contains(key)
      case .nothing: false
      }
    }
  }
}

/// A setting with its resolved value.
struct ResolvedSetting: Sendable {
  let setting: SettingDescription
  /// The text of the value; nil when it is not set.
  let text: String?
  /// Where it was set, e.g. `TANDEM_LISTEN` or `--listen`; nil for the default.
  let origin: String?
  /// The file that it was read from, where it was set by naming a file.
  var file: String?
}

/// One pass through all sources.
private struct SettingsResolution {
  let declared: [SettingDescription]
  let service: String
  let sources: SettingSources
  var problems: [String] = []
  var warnings: [String] = []

  init(declared: [SettingDescription], service: String, sources: SettingSources) {
    self.declared = declared
    self.service = service
    self.sources = sources
  }

  mutating func run(_ requirement: Settings.Requirement) -> [ResolvedSetting] {
    let options = CommandLineOptions(sources.arguments, settings: declared)
    problems += options.problems
    let fixed = fixedPlaces(options)
    let file = settingsFile(fixed)
    checkNames(file)
    let places = fixed + (file.map(filePlaces) ?? [])
    let secrets = secretsFolder(fixed)
    return declared.map { setting in
      let found = look(for: setting, in: places, secrets)
      check(setting, found, requirement)
      return found
    }
  }

  private func fixedPlaces(_ options: CommandLineOptions) -> [Place] {
    let environment = EnvironmentVariablesProvider(environmentVariables: sources.environment)
    return [
      Place(
        provider: CommandLineArgumentsProvider(arguments: [service] + options.normalized), scope: [],
        type: .stringArray, name: { "--\($0)" }),
      Place(
        provider: environment, scope: ["tandem", service], type: .string,
        name: { SettingDescription.environmentName("\(service)-\($0)") }),
      Place(
        provider: environment, scope: ["tandem"], type: .string, name: { SettingDescription.environmentName($0) }),
      Place(
        provider: environment, scope: [], type: .string, name: { SettingDescription.standardName($0) },
        holds: { SettingDescription.isStandard($0) }),
    ]
  }

  private func filePlaces(_ file: SettingsFile) -> [Place] {
    [[service], []].map { scope in
      Place(
        provider: file.provider, scope: scope, type: .string,
        name: { "\((scope + [$0]).joined(separator: ".")) in \(file.path)" })
    }
  }

  private mutating func settingsFile(_ places: [Place]) -> SettingsFile? {
    let named = places[0].text("config") ?? places[1].text("config-file") ?? places[2].text("config-file")
    guard let named else { return nil }
    do throws(StartupError) {
      return try SettingsFile(path: named)
    } catch {
      problems += error.lines
      return nil
    }
  }

  private mutating func secretsFolder(_ places: [Place]) -> SecretsFolder? {
    guard let path = places.prefix(3).lazy.compactMap({ $0.text(SecretsFolder.key) }).first else { return nil }
    do throws(StartupError) {
      return try SecretsFolder(path: path)
    } catch {
      problems += error.lines
      return nil
    }
  }

  private mutating func look(
    for setting: SettingDescription, in places: [Place], _ secrets: SecretsFolder?
  ) -> ResolvedSetting {
    for place in places {
      var direct = place.text(setting.key)
      // To OpenTelemetry an empty variable is one that is not set.
      if setting.isStandard, direct?.isEmpty == true { direct = nil }
      let file = setting.fileKey.flatMap { key in place.text(key).map { (key: key, path: $0) } }
      if direct != nil, let file {
        problems.append("\(place.name(setting.key)) and \(place.name(file.key)) are both set; keep one")
      }
      if let direct { return ResolvedSetting(setting: setting, text: direct, origin: place.name(setting.key)) }
      guard let file else { continue }
      let origin = place.name(file.key)
      return read(setting, from: origin, file.path) { () throws(StartupError) in
        try secret(at: file.path, purpose: "the file named by \(origin),")
      }
    }
    guard let secrets, let path = secrets.path(of: setting) else {
      return ResolvedSetting(setting: setting, text: nil, origin: nil)
    }
    return read(setting, from: path, path) { () throws(StartupError) in try secrets.text(at: path) }
  }

  private mutating func read(
    _ setting: SettingDescription, from origin: String, _ file: String, _ text: () throws(StartupError) -> String
  ) -> ResolvedSetting {
    do throws(StartupError) {
      return ResolvedSetting(setting: setting, text: try text(), origin: origin, file: file)
    } catch {
      problems += error.lines
      return ResolvedSetting(setting: setting, text: nil, origin: origin)
    }
  }

  private mutating func check(
    _ setting: SettingDescription, _ found: ResolvedSetting, _ requirement: Settings.Requirement
  ) {
    switch (found.text, found.origin) {
    case (let text?, let origin) where !setting.accepts(text):
      let shown = setting.secrecy == .open ? "\"\(setting.secrecy.shown(text))\"" : "the value (not shown)"
      problems.append("setting \(setting.key): \(shown) of \(origin ?? "the default") is not \(setting.expected)")
    case (nil, nil) where setting.isRequired && requirement.includes(setting.key):
      problems.append(
        "setting \(setting.key) is not set: give --\(setting.key) or \(setting.environmentName), \(setting.expected)")
    default: break
    }
  }

  /// Reports names that look like settings of this service and are not; a name that may belong to another program that
  /// shares the environment or the file causes only a warning.
  private mutating func checkNames(_ file: SettingsFile?) {
    var keys = Set(declared.map(\.key) + declared.compactMap(\.fileKey))
    for path in (file?.values.keys).map(Array.init)?.sorted(by: { $0.joined() < $1.joined() }) ?? [] {
      guard let file, !(path.count == 1 && keys.contains(path[0])) else { continue }
      let name = path.joined(separator: ".")
      if path.first == service, !(path.count == 2 && keys.contains(path[1])) {
        problems.append("\(file.path): \(name) is not a setting" + hint(path[1...].joined(separator: "."), keys))
      } else if path.count == 1 {
        warnings.append("\(file.path): \(name) is not a setting of \(service)" + hint(name, keys))
      }
    }
    keys.formUnion(["config-file", SecretsFolder.key])
    let own = SettingDescription.environmentName(service) + "_"
    var names = Set(keys.flatMap { [SettingDescription.environmentName($0), own + $0.asEnvironment] })
    names.formUnion(Self.ofCommandLine.map(SettingDescription.environmentName))
    let others = (ServiceDescription.allNames + [CallContext.gatewayName]).map {
      SettingDescription.environmentName($0) + "_"
    }
    for name in sources.environment.keys.sorted() where name.hasPrefix("TANDEM_") && !names.contains(name) {
      if name.hasPrefix(own) {
        problems.append("environment: \(name) is not a setting" + hint(name, names))
      } else if !others.contains(where: name.hasPrefix) {
        warnings.append("environment: \(name) is not a setting of \(service)" + hint(name, names))
      }
    }
  }

  /// The variables of the suite's command line, which may share an environment with services, in a container for
  /// instance.
  private static let ofCommandLine = ["home", "address", "token", "ca", "cert", "key"]

  private func hint(_ name: String, _ candidates: Set<String>) -> String {
    nearest(to: name, among: candidates).map { "; did you mean \($0)?" } ?? "; `\(service) config` lists all"
  }
}

extension String {
  fileprivate var asEnvironment: String { String(uppercased().map { $0 == "-" ? "_" : $0 }) }
}

/// One source in one scope.
private struct Place {
  let provider: any ConfigProvider
  let scope: [String]
  /// The command line's provider splits at commas, so a value is read as a list and joined again.
  let type: ConfigType
  let name: (String) -> String
  /// Whether a setting may be set here.
  var holds: (String) -> Bool = { _ in true }

  func text(_ key: String) -> String? {
    guard holds(key) else { return nil }
    let found = try? provider.value(forKey: AbsoluteConfigKey(scope + [key]), type: type)
    switch found?.value?.content {
    case .string(let text): return text
    case .stringArray(let parts): return parts.joined(separator: ",")
    default: return nil
    }
  }
}
