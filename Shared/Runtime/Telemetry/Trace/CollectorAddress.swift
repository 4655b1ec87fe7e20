/// Where spans are sent: the base URL of an OTLP/HTTP collector.
public struct CollectorAddress: Sendable, Hashable, CustomStringConvertible {
  /// Whether the connection is encrypted.
  public enum Scheme: String, Sendable {
    case http, https
  }

  /// `http` or `https`.
  public let scheme: Scheme
  /// A name or an address, without brackets.
  public let host: String
  /// The port; 4318, the protocol's own, when the URL names none.
  public let port: Int
  /// The path that traces are posted to.
  public let path: String

  /// Reads a URL such as `http://collector:4318`; `nil` for one with another scheme, a user, a query or no host.
  public init?(_ url: String) {
    guard let mark = url.firstRange(of: "://"), let scheme = Scheme(rawValue: url[..<mark.lowerBound].lowercased()),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"@?#\"\\".utf8.contains($0) })
    else { return nil }
    let rest = url[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    var path = rest[authority.endIndex...]
    while path.last == "/" { path = path.dropLast() }
    self.scheme = scheme
    self.path = path + "/v1/traces"
    var host = authority
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      guard let port = Int(authority[colon...].dropFirst()), (1...65535).contains(port) else { return nil }
      host = authority[..<colon]
      self.port = port
    } else {
      port = 4318
    }
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.host = String(host)
  }

  /// The value of the `Host` header.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The URL that traces are posted to.
  public var description: String { "\(scheme.rawValue)://\(authority)\(path)" }
}
