import GatewayPages
import ServiceRuntime

/// The settings of the console.
enum ConsoleSettings {
  static let isOff = Setting<Bool>(
    "no-console", .flag, default: "false", meaning: "answers without the console, for clients that are programs alone")
  static let tiles = Setting<String?>.optional(
    "map-tiles", .text,
    meaning:
      "address of map tiles for the console, such as https://tile.example.org/{z}/{x}/{y}.png; without it maps are drawn of what the program has inside"
  )
  static let attribution = Setting<String?>.optional(
    "map-attribution", .text, meaning: "what the provider of map-tiles wants to be said on maps")
  static let demo = Setting<String?>.optional(
    "console-demo", .text,
    meaning: "password of the demonstration's people, which the front page tells everybody: never where people are")
  static let folder = Setting<String?>.optional(
    "console-folder", .path,
    meaning: "reads the console's files from this folder at each request, for those who change them; on loopback alone")

  static let all: [SettingDescription] = [
    isOff.description, tiles.description, attribution.description, demo.description, folder.description,
  ]

  /// `nil` where it is switched off.
  ///
  /// - Throws: an error that names the setting to change.
  static func console(_ settings: Settings) throws(StartupError) -> Console? {
    guard !settings[isOff] else { return nil }
    if let folder = settings[folder], !settings[GatewaySettings.listen].isLoopback {
      throw StartupError(
        usage: "console-folder is \(folder), but others can reach this program: it is for development; leave it out")
    }
    return Console(tiles: try mapTiles(settings), demo: settings[demo], folder: settings[folder])
  }

  private static func mapTiles(_ settings: Settings) throws(StartupError) -> Console.Tiles? {
    guard let address = settings[tiles] else { return nil }
    let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"'<>;,".utf8.contains($0) }
    guard isPlain, address.hasPrefix("https://"), ["{z}", "{x}", "{y}"].allSatisfy(address.contains) else {
      throw StartupError(
        usage:
          "map-tiles is \(address), and has to be an address with {z}, {x} and {y}, such as https://tile.example.org/{z}/{x}/{y}.png"
      )
    }
    return Console.Tiles(address: address, attribution: settings[attribution] ?? "")
  }
}
