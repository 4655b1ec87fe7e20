import NIOCore

/// What the port takes of its clients.
public struct HTTPLimits: Sendable {
  /// Connections at a time; one more is closed.
  public var connections = 10_000
  /// The same from one IPv4 address or IPv6 /64 network.
  public var connectionsPerAddress = 200
  /// Requests at a time on one connection of HTTP/2.
  public var streamsPerConnection = 128
  /// Requests a second from one address, each of them a call; as many as two seconds' worth at once.
  public var requestsPerAddress = 200
  /// Calls a second with one access token, from whichever addresses; as many as two seconds' worth at once.
  public var callsPerToken = 100
  /// Bytes of a request's header fields, names included.
  public var headerBytes = 16_384
  /// Header fields of a request.
  public var headerFields = 100
  /// From a connection's beginning until the first bytes of a request, TLS included.
  public var handshakeTime = TimeAmount.seconds(10)
  /// How long a connection without a request is kept; a head that arrives byte by byte must be complete within it, too.
  public var idleTime = TimeAmount.seconds(60)
  /// How long a request that is not a stream may take to arrive.
  public var requestTime = TimeAmount.seconds(30)
  /// How long a client may take nothing of what is sent.
  public var stallTime = TimeAmount.seconds(30)

  public init() {}
}
