/// The addresses of the suite's services for each other.
public enum PeerSettings {
  /// By the services' names.
  static let addresses: [String: Setting<HostPort?>] = Dictionary(
    uniqueKeysWithValues: ServiceDescription.allNames.map { name in
      (
        name,
        .optional(
          "\(name)-address", .address,
          meaning: "where \(name) answers RPCs; without it this service neither calls nor follows it")
      )
    })

  /// All of them, in the order of listings.
  static let all: [SettingDescription] = ServiceDescription.allNames.compactMap { addresses[$0]?.description }
}
