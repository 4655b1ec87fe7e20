import GatewayHTTP
import NIOCore
import ServiceRuntime

/// The settings of the gateway beside those of every program.
enum GatewaySettings {
  static let listen = Setting<HostPort>(
    "listen", .address, default: "127.0.0.1:0", meaning: "where HTTP is answered; port 0 takes a free one")
  static let certificate = Setting<String?>.optional(
    "http-tls-cert", .path,
    meaning: "PEM file of the HTTP port's certificate and its chain; without it that of tls-cert")
  static let key = Setting<String?>.optional(
    "http-tls-key", .path, meaning: "PEM file of its private key; without it that of tls-key")
  static let plaintext = Setting<Bool>(
    "http-plaintext", .flag, default: "false",
    meaning: "answers HTTP without TLS; never where others can listen in")
  static let publicHosts = Setting<[String]>(
    "public-hosts", .hosts, default: "",
    meaning:
      "names and addresses that clients call, separated by commas; without them those of the certificate. Other hosts are refused, but for loopback's"
  )
  static let allowedOrigins = Setting<[String]>(
    "allowed-origins", .origins, default: "",
    meaning:
      "origins of other sites whose pages may call with a token, such as https://app.example.org,https://b.example")
  static let sealKey = Setting<SealKeys?>.optional(
    "seal-key", .sealKeys,
    meaning:
      "the key of browsers' cookies, NAME:KEY with 32 bytes in base64url; further lines are keys that only open. Without it browsers cannot log in",
    secrecy: .secret)
  static let callTime = Setting<Duration>(
    "call-time", .positiveDuration, default: "30s", meaning: "how long a call may take whose client sets no limit")
  static let maxCallTime = Setting<Duration>(
    "max-call-time", .positiveDuration, default: "120s",
    meaning: "how long a call may take whatever its client says")
  static let streamTime = Setting<Duration>(
    "stream-time", .positiveDuration, default: "3600s", meaning: "how long a stream may last; a client may set less")
  static let connections = Setting<Int>(
    "max-connections", .number(1...1_000_000), default: "\(usual.connections)",
    meaning: "connections at a time; one more is closed")
  static let connectionsPerAddress = Setting<Int>(
    "max-connections-per-address", .number(1...1_000_000), default: "\(usual.connectionsPerAddress)",
    meaning: "connections at a time from one IPv4 address or IPv6 /64 network")
  static let streamsPerConnection = Setting<Int>(
    "max-streams-per-connection", .number(1...10_000), default: "\(usual.streamsPerConnection)",
    meaning: "requests at a time on one connection of HTTP/2")
  static let requestsPerAddress = Setting<Int>(
    "max-requests-per-address", .number(1...1_000_000), default: "\(usual.requestsPerAddress)",
    meaning: "requests a second from one IPv4 address or IPv6 /64 network; twice as many at once")
  static let callsPerToken = Setting<Int>(
    "max-calls-per-token", .number(1...1_000_000), default: "\(usual.callsPerToken)",
    meaning: "calls a second with one access token, from whichever addresses; twice as many at once")
  static let headerBytes = Setting<Int>(
    "max-header-bytes", .number(1_024...1_048_576), default: "\(usual.headerBytes)",
    meaning: "bytes of a request's header fields, names included")
  static let handshakeTime = Setting<Duration>(
    "handshake-time", .positiveDuration, default: "10s",
    meaning: "how long a new connection may take until its first request begins, TLS included")
  static let idleTime = Setting<Duration>(
    "idle-time", .positiveDuration, default: "60s", meaning: "how long a connection without a request is kept")
  static let requestTime = Setting<Duration>(
    "request-time", .positiveDuration, default: "30s",
    meaning: "how long a request that is no stream may take to arrive")
  static let stallTime = Setting<Duration>(
    "stall-time", .positiveDuration, default: "30s", meaning: "how long a client may take nothing of its answer")

  private static let usual = HTTPLimits()

  /// All of them, in the order of listings.
  static let all: [SettingDescription] =
    [
      listen.description, certificate.description, key.description, plaintext.description, publicHosts.description,
      allowedOrigins.description, sealKey.description, callTime.description, maxCallTime.description,
      streamTime.description, connections.description, connectionsPerAddress.description,
      streamsPerConnection.description, requestsPerAddress.description, callsPerToken.description,
      headerBytes.description, handshakeTime.description, idleTime.description, requestTime.description,
      stallTime.description,
    ] + ConsoleSettings.all
}

extension SettingKind where Value == [String] {
  /// Hosts without ports; may be none.
  fileprivate static let hosts = SettingKind("hosts", expected: "hosts such as tandem.example,192.0.2.1") { text in
    let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let areHosts = hosts.allSatisfy { host in
      !host.isEmpty && host.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
    }
    return text.isEmpty ? [] : areHosts ? hosts : nil
  }

  /// Origins as browsers send them; may be none.
  fileprivate static let origins = SettingKind(
    "origins", expected: "origins such as https://app.example.org, separated by commas"
  ) { text in
    let origins = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let areOrigins = origins.allSatisfy { origin in
      let rest = ["https://", "http://"].first { origin.hasPrefix($0) }.map { origin.dropFirst($0.count) } ?? ""
      return !rest.isEmpty && rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
    }
    return text.isEmpty ? [] : areOrigins ? origins : nil
  }
}

extension HTTPLimits {
  /// The configured limits.
  init(_ settings: Settings) {
    self.init()
    connections = settings[GatewaySettings.connections]
    connectionsPerAddress = settings[GatewaySettings.connectionsPerAddress]
    streamsPerConnection = settings[GatewaySettings.streamsPerConnection]
    headerBytes = settings[GatewaySettings.headerBytes]
    handshakeTime = TimeAmount(settings[GatewaySettings.handshakeTime])
    idleTime = TimeAmount(settings[GatewaySettings.idleTime])
    requestTime = TimeAmount(settings[GatewaySettings.requestTime])
    stallTime = TimeAmount(settings[GatewaySettings.stallTime])
  }
}
