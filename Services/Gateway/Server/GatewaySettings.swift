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
  static let all: [SettingDescription] = [
    listen.description, certificate.description, key.description, plaintext.description, callTime.description,
    maxCallTime.description, streamTime.description, connections.description, connectionsPerAddress.description,
    streamsPerConnection.description, requestsPerAddress.description, headerBytes.description,
    handshakeTime.description, idleTime.description, requestTime.description, stallTime.description,
  ]
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
