import Backoff
import NIOSSL
import Tracing

extension RPCClient {
  /// Where a server listens.
  public struct Address: Sendable, Hashable, CustomStringConvertible {
    /// A name, of which all addresses count, or an address.
    public var host: String
    /// From 1 to 65,535.
    public var port: Int

    /// A place to connect to.
    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// `host:port`, with brackets around an IPv6 address.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// How connections are protected.
  public enum Security: Sendable {
    /// TLS, with the name that the server's certificate must carry; `nil` when it is to carry the address itself.
    case tls(NIOSSLContext, serverName: String?)
    /// The same with a context that each new connection asks for.
    case renewedTLS(TLSSource, serverName: String?)
    case plaintext
  }

  /// How a client connects, how much it takes on, and how it meets failure.
  public struct Settings: Sendable {
    /// From the first packet until calls can be made, the TLS handshake included.
    public var connectTimeout = Duration.seconds(5)
    /// Between attempts to connect to one address.
    public var reconnecting = Backoff(first: .milliseconds(50), max: .seconds(5), factor: 1.6)
    /// Names are looked up again after a connection failed or was lost, but no more often than this.
    public var resolveInterval = Duration.seconds(5)
    /// How servers are watched; `nil` does without.
    public var healthCheck: HealthCheck? = HealthCheck()
    /// What becomes of calls that fail for want of a server.
    public var retry = RetryPolicy()
    /// Calls and streams that run at the same time on one connection; further ones wait. Below what a server of this suite takes.
    public var callsPerConnection = 4_000
    /// Connections to each address. One is enough for most: its calls are interleaved, and one write carries many. More are of use where
    /// large messages hold up small ones behind them, or where one event loop of the server, which serves a connection, is too little.
    public var connectionsPerAddress = 1
    /// Calls that may wait for a connection with room; one more fails with RESOURCE_EXHAUSTED.
    public var waitingCalls = 4_000
    /// Bytes of one stream's messages that may wait for their reader; beyond them the stream fails.
    public var unreadBytesPerStream = 4 << 20
    /// What becomes of a stream beyond them.
    public var unreadStreams = UnreadStreams.fail
    /// Records the calls that no handler makes; those of a handler continue its trace in any case.
    public var tracer: (any Tracer)?
    /// Counts the client's calls; `nil` counts none.
    public var metrics: ClientMetrics?
    /// Gives a number from 0 to 1, for jitter.
    public var chance: @Sendable () -> Double = { .random(in: 0...1) }
    /// Of every connection; a test that lets ids run out begins near their end.
    var firstStreamID: UInt32 = 1

    /// Settings that suit a service calling its peers.
    public init() {}
  }

  /// What a client does about a stream whose messages come faster than they are read.
  public enum UnreadStreams: Sendable {
    /// It fails, and the connection's other calls go on.
    case fail
    /// Nothing more is read from its connection until half of what waits is read: for a client with one call at a time. Its server has
    /// limits of its own, and closes the connection of a client that reads nothing for long.
    case pauseReading
  }

  /// How a client finds out that a server does not serve, or is not there any more.
  ///
  /// The check is `grpc.health.v1.Health/Check`, on every connection. An answer other than SERVING takes the server out of the rotation
  /// until it answers SERVING again; a server that does not know the method counts as serving. When nothing at all comes from a server
  /// while a check waits for its answer, the connection is given up as dead, and its calls fail.
  public struct HealthCheck: Sendable {
    /// The name to ask about; empty for the server as a whole.
    public var service: String
    /// From one answer to the next question.
    public var interval: Duration
    /// How long an answer may take.
    public var timeout: Duration

    /// A check of the whole server, unless a service is named.
    public init(service: String = "", interval: Duration = .seconds(10), timeout: Duration = .seconds(5)) {
      self.service = service
      self.interval = interval
      self.timeout = timeout
    }
  }
}
