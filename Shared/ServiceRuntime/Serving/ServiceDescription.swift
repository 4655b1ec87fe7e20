import Postgres

/// What an executable is: its name, what it owns in the database, and which settings it adds.
public struct ServiceDescription: Sendable {
  /// The executable's name, in lower case; also the second part of its own environment variables.
  public let name: String
  /// What it does, in one sentence.
  public let purpose: String
  /// Settings beyond those of every service.
  public let settings: [SettingDescription]

  /// Every executable of the suite: variables that begin with another one's name are none of this one's business.
  static let allNames = ["identity", "matching", "catalog", "lending", "tracking", "importer"]

  /// Describes a service.
  public init(name: String, purpose: String, settings: [SettingDescription] = []) {
    self.name = name
    self.purpose = purpose
    self.settings = settings
  }

  /// Its settings and those of every service, in the order of listings.
  var allSettings: [SettingDescription] { RuntimeSettings.all + settings }
}
