import HTTPTypes

/// The hosts that the port answers for, and the origins whose pages may call it.
public struct PublicNames: Sendable {
  /// Whose page a request comes from, by its `Origin`.
  public enum Page: Sendable, Equatable {
    /// From none: from a program that is no browser, or by a link.
    case none
    /// From a page of the port itself.
    case own
    /// From a page of an origin that is listed.
    case listed(String)
    case foreign
  }

  private let hosts: Set<String>
  private let origins: Set<String>
  private let isSecure: Bool

  /// - Parameters:
  ///   - hosts: names and addresses without ports; a name may begin with `*.`, for one label. Those of loopback are known always.
  ///   - origins: as browsers write them, `https://app.example.org`.
  ///   - isSecure: whether the port has TLS. Without it, it may stand behind something that has.
  public init(hosts: some Sequence<String>, origins: some Sequence<String>, isSecure: Bool) {
    self.hosts = Set(hosts.map { Self.name($0[...]) } + ["localhost", "127.0.0.1", "::1"])
    self.origins = Set(origins.map { $0.lowercased() })
    self.isSecure = isSecure
  }

  /// Whether pages of other origins may call at all.
  public var hasOrigins: Bool { !origins.isEmpty }

  /// Whether the authority of a request, a host with or without a port, is one of the port's own.
  public func isOwn(_ authority: String) -> Bool {
    guard let host = Self.host(of: authority[...]) else { return false }
    if hosts.contains(host) { return true }
    guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
    return hosts.contains("*" + host[dot...])
  }

  /// Whose page a request comes from. Its authority must have been found to be the port's own.
  public func page(of request: HTTPRequest) -> Page {
    let fields = request.headerFields[values: .origin]
    guard let origin = fields.first?.lowercased() else { return .none }
    guard fields.count == 1 else { return .foreign }
    if let authority = request.authority?.lowercased(),
      origin == "https://\(authority)" || !isSecure && origin == "http://\(authority)"
    {
      return .own
    }
    return origins.contains(origin) ? .listed(fields[0]) : .foreign
  }

  /// The host of an authority in lower case, an IPv6 address without its brackets; `nil` for what is no authority.
  private static func host(of authority: Substring) -> String? {
    let host: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
    } else {
      host = authority.prefix { $0 != ":" }
    }
    let port = authority[host.endIndex...]
    guard port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return name(host)
  }

  private static func name(_ host: Substring) -> String {
    if host.hasPrefix("["), host.hasSuffix("]") { return host.dropFirst().dropLast().lowercased() }
    return (host.hasSuffix(".") ? host.dropLast() : host).lowercased()
  }
}

/// The fields by which a browser lets pages of other origins call (the Fetch standard, section 3.2).
public enum CrossOrigin {
  /// What an answer to a page of a listed origin has. Nothing allows cookies: such pages have tokens.
  public static func fields(_ origin: String) -> [(HTTPField.Name, String)] {
    [
      (.accessControlAllowOrigin, origin), (.vary, "origin"),
      (
        .accessControlExposeHeaders,
        "connect-content-encoding, grpc-status, grpc-message, grpc-status-details-bin, grpc-encoding, retry-after, etag"
      ),
    ]
  }

  /// The answer to the question that a browser asks before a call; `nil` where the request is none.
  public static func preflight(_ request: HTTPRequest) -> Output? {
    guard request.method == .options, request.headerFields[.accessControlRequestMethod] != nil else { return nil }
    var head = HTTPResponse(status: .noContent)
    head.headerFields[.accessControlAllowMethods] = "GET, POST"
    head.headerFields[.accessControlAllowHeaders] =
      "authorization, content-type, content-encoding, accept-encoding, connect-protocol-version, connect-timeout-ms, "
      + "connect-content-encoding, connect-accept-encoding, grpc-timeout, prefer, x-grpc-web, x-user-agent, x-request-id, "
      + "traceparent, tracestate"
    head.headerFields[.accessControlMaxAge] = "7200"
    return Output(head: head, isEnd: true)
  }
}
