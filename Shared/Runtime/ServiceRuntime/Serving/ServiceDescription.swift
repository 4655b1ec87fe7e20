import Postgres

/// The name of an executable, what it owns in the database, and the settings that it adds.
public struct ServiceDescription: Sendable {
  /// The executable's name, in lower case; also its schema, its role, and the second part of its own variables.
  public let name: String
  /// What it does, in one sentence without a full stop.
  public let purpose: String
  /// The migrations of its schema, in order.
  public let migrations: [Migration]
  /// Settings beyond those of every service.
  public let settings: [SettingDescription]
  /// The descriptions of its own metrics, by label, as Prometheus shows them.
  public let metrics: [String: String]

  /// Every executable of the suite: variables that begin with the name of another one are ignored.
  static let allNames = ["identity", "matching", "catalog", "lending", "tracking", "importer"]

  public init(
    name: String, purpose: String, migrations: [Migration], settings: [SettingDescription] = [],
    metrics: [String: String] = [:]
  ) {
    self.name = name
    self.purpose = purpose
    self.migrations = migrations
    self.settings = settings
    self.metrics = metrics
  }

  public var schema: String { name }

  /// The settings of every service, then its own, in the order of listings.
  public var allSettings: [SettingDescription] { RuntimeSettings.all + settings }
}

/// The suite's release, the same for all its executables.
public enum Release {
  /// By semantic versioning.
  public static let version = "0.1.0"
}
