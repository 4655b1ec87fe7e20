import Cryptography

/// The setting of a service that stores secrets, first responses ([C-4]) or page tokens ([C-5]): it adds it to its own.
public enum SealSettings {
  /// The key that seals, and the keys that still open.
  public static let key = Setting<SealKeys>.required(
    "seal-key", .sealKeys,
    meaning: "the key of secrets at rest, NAME:KEY with 32 bytes in base64url; further lines are keys that only open",
    secrecy: .secret)
}

/// The value of `seal-key`: the key that seals, and the keys that still open.
public struct SealKeys: Sendable {
  /// Seals with the first key and opens with all.
  public let seal: Seal

  /// Reads one key per line; `nil` when there is none or one is malformed.
  public init?(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    let keys = lines.compactMap { SealKey(line: $0) }
    guard keys.count == lines.count, let current = keys.first else { return nil }
    seal = Seal(current: current, retired: Array(keys.dropFirst()))
  }
}

extension SettingKind where Value == SealKeys {
  /// Keys, one a line.
  public static let sealKeys = SettingKind(
    "keys",
    expected:
      "a line NAME:KEY with 32 bytes in base64url, as `echo \"k1:$(openssl rand -base64 32 | tr +/ -_ | tr -d =)\"` makes",
    parse: SealKeys.init)
}
