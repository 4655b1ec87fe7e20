import Postgres

/// What an executable is: its name, what it owns in the database, and which settings it adds.
public struct ServiceDescription: Sendable {
  /// The executable's name, in lower case; also its schema, its role, and the second part of its own variables.
  public let name: String
  /// What it does, in one sentence without a full stop.
  public let purpose: String
  /// How its schema is made, in order.
  public let migrations: [Migration]
  /// Settings beyond those of every service.
  public let settings: [SettingDescription]
  /// What its own metrics mean, by label, as Prometheus shows it.
  public let metrics: [String: String]

  /// Every executable of the suite: variables that begin with another one's name are none of this one's business.
  static let allNames = ["identity", "matching", "catalog", "lending", "tracking", "importer"]

  /// Describes a service.
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

  /// The schema that it owns.
  public var schema: String { name }

  /// The settings of every service, then its own, in the order of listings.
  public var allSettings: [SettingDescription] { RuntimeSettings.all + settings }
}

/// The suite's release, the same for all its executables.
public enum Release {
  /// By semantic versioning.
  public static let version = "0.1.0"
}
