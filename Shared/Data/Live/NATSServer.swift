/// A NATS server to connect to.
///
/// Its text, for logs, never shows the user, password or token.
public struct NATSServer: Sendable, Hashable, CustomStringConvertible {
  /// The URL for libnats, user and password included.
  let url: String
  /// A name or an address, without brackets.
  let host: String
  let port: Int
  let isSecure: Bool
  /// PEM file of the authorities to trust for the server's certificate; `nil` for the system's.
  public var authorities: String?

  /// Parses `nats://[user:password@]host[:port]`, or `tls://…` for TLS; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    guard let separator = text.firstRange(of: "://") else { return nil }
    switch text[..<separator.lowerBound] {
    case "nats": isSecure = false
    case "tls": isSecure = true
    default: return nil
    }
    let rest = text[separator.upperBound...]
    let isPlain = rest.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain, !rest.contains("/"), !rest.contains("?"), !rest.contains("#") else { return nil }
    let place = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    guard let (host, port) = Self.place(place) else { return nil }
    self.host = host
    self.port = port
    let user = rest.lastIndex(of: "@").map { rest[...$0] } ?? ""
    url = "nats://\(user)\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  private static let defaultPort = 4222

  private static func place(_ text: some StringProtocol) -> (host: String, port: Int)? {
    var (host, port) = (String(text), defaultPort)
    let end = host.hasPrefix("[") ? host.firstIndex(of: "]") : nil
    if let colon = host.lastIndex(of: ":"), end.map({ $0 < colon }) ?? true {
      guard let number = Int(host[host.index(after: colon)...]), (1...65_535).contains(number) else { return nil }
      port = number
      host = String(host[..<colon])
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(where: { ":[]".contains($0) }) {
      return nil
    }
    return host.isEmpty ? nil : (host, port)
  }

  /// The servers of a list separated by commas; `nil` when it is empty or one of them is invalid.
  public static func list(_ text: String) -> [NATSServer]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let servers = parts.compactMap { NATSServer($0) }
    return servers.count == parts.count && !servers.isEmpty ? servers : nil
  }

  /// Scheme, host and port.
  public var description: String { "\(isSecure ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
