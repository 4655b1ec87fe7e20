import ImporterDomain
import ServiceRuntime

/// The settings of how much may be stored of a user.
enum StorageSettings {
  private static let activities = Setting<Int>(
    "storage-activities", .number(1...10_000_000), default: "100000",
    meaning: "reports of activities that may be stored of a user; one that two providers report is two")

  private static let mebibytes = Setting<Int>(
    "storage-mib", .number(1...1_000_000), default: "4096",
    meaning: "MiB of samples and raw records that may be stored of a user")

  private static let days = Setting<Int>(
    "storage-days", .number(1...10_000_000), default: "100000",
    meaning: "days with steps, by provider, that may be stored of a user")

  private static let sleeps = Setting<Int>(
    "storage-sleeps", .number(1...10_000_000), default: "200000",
    meaning: "nights and naps that may be stored of a user")

  private static let weights = Setting<Int>(
    "storage-weights", .number(1...10_000_000), default: "200000",
    meaning: "weighings that may be stored of a user")

  static let all: [SettingDescription] = [
    activities.description, mebibytes.description, days.description, sleeps.description, weights.description,
  ]

  static func quota(_ settings: Settings) -> StorageUse {
    StorageUse(
      activities: Int64(settings[activities]), bytes: Int64(settings[mebibytes]) << 20,
      stepDays: Int64(settings[days]), sleeps: Int64(settings[sleeps]), weights: Int64(settings[weights]))
  }
}
