import Environment
import ImporterOperations
import NIOCore
import OutboundHTTP
import ProviderAdapters
import ServiceRuntime

/// The settings of the importer, in addition to those of every service.
enum ImporterSettings {
  static let trackers = Setting<String?>.optional(
    "trackers", .path, meaning: "a JSON file of the trackers that users can connect (see trackers.md of the handbook)")

  static let trackerRedirectURIs = Setting<[String]>(
    "tracker-redirect-uris", .redirectURIs, default: "https://tandem.example/trackers/callback",
    meaning:
      "where providers of trackers may send browsers back to, separated by commas; the first where a call names none")

  static let trackerAuthorities = Setting<String?>.optional(
    "tracker-ca", .path, meaning: "PEM file of the authorities that the providers' certificates must come from")

  static let trackerTimeout = Setting<Duration>(
    "tracker-timeout", .exchangeTime, default: "30s",
    meaning: "how long one exchange with a provider of trackers may take, from connecting to the answer's last byte")

  static let trackerHosts = Setting<AllowedHosts>(
    "tracker-hosts", .choice, default: "public",
    meaning:
      "which hosts endpoints of trackers may have, by name and by address: public, or any, for stand-ins in a private network"
  )

  static let trackerSyncInterval = Setting<Duration>(
    "tracker-sync-interval", .duration, default: "6h",
    meaning: "between two imports of a connected tracker, a tenth more or less by chance")

  static let trackerUpkeepInterval = Setting<Duration>(
    "tracker-upkeep-interval", .duration, default: "30s",
    meaning:
      "how often ended connections are looked for whose tokens are to be revoked, and imports that were left behind")

  static let all: [SettingDescription] = [
    SealSettings.key.description, trackers.description, trackerRedirectURIs.description,
    trackerAuthorities.description, trackerTimeout.description, trackerHosts.description,
    trackerSyncInterval.description, trackerUpkeepInterval.description,
  ]

  /// The HTTP client for requests to providers.
  static func providerClient(
    _ settings: Settings, on loops: any EventLoopGroup, clock: any WallClock
  ) throws(StartupError) -> OutboundClient {
    do {
      return try OutboundClient(
        authorities: settings[trackerAuthorities], timeout: settings[trackerTimeout], on: loops, clock: clock,
        peers: settings[trackerHosts] == .any ? .any : .public)
    } catch {
      throw StartupError(usage: "setting tracker-ca: \(error)")
    }
  }

  /// The trackers that users can connect.
  static func providers(_ settings: Settings) throws(StartupError) -> [ConfiguredProvider] {
    guard let path = settings[trackers] else { return [] }
    do { return try TrackerFile(path: path, hosts: settings[trackerHosts]).providers } catch {
      throw StartupError(usage: error.lines.map { "setting trackers: \($0)" })
    }
  }
}

extension SettingKind where Value == Duration {
  /// Less than the time for which one replica alone may refresh tokens.
  fileprivate static let exchangeTime = SettingKind("duration", expected: "a duration from 1s to 30s such as 10s") {
    text in
    duration.parse(text).flatMap { (.seconds(1) ... .seconds(30)).contains($0) ? $0 : nil }
  }
}

extension SettingKind where Value == [String] {
  /// Pages, or an app's own scheme. Without TLS only addresses on the same machine are allowed, because codes are sent
  /// there.
  fileprivate static let redirectURIs = SettingKind(
    "URIs", expected: "URIs such as https://app.tandem.example/callback, separated by commas"
  ) { text in
    let uris = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let areAllowed = uris.allSatisfy { uri in
      let scheme = uri.prefix { $0 != ":" }
      let isOwn = scheme.contains(".") && uri.utf8.count > scheme.utf8.count + 1
      let isPage = ["https://", "http://localhost", "http://127.0.0.1"].contains { uri.hasPrefix($0) }
      return (isPage || isOwn) && uri.utf8.count <= 2_000 && !uri.contains("#")
        && uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    return areAllowed ? uris : nil
  }
}
