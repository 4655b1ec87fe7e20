import Backoff
import NIOSSL
import TTRPCConnection
import Tracing

extension RPCClient {
  /// The address of a server.
  public struct Address: Sendable, Hashable, CustomStringConvertible {
    /// A name, all of whose addresses are used, or an address.
    public var host: String
    /// From 1 to 65,535.
    public var port: Int

    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// `host:port`, with brackets around an IPv6 address.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// How connections are protected.
  public enum Security: Sendable {
    /// TLS, with the name that the server's certificate must be for; `nil` when it must be for the address itself.
    case tls(NIOSSLContext, serverName: String?)
    /// TLS with the context that the source has when a connection is opened.
    case renewedTLS(TLSSource, serverName: String?)
    case plaintext
  }

  /// How a client connects, its limits, and how it handles failures.
  public struct Settings: Sendable {
    /// From the first packet until calls can be made, the TLS handshake included.
    public var connectTimeout = Duration.seconds(5)
    /// Between attempts to connect to one address.
    public var reconnecting = Backoff(first: .milliseconds(50), max: .seconds(5), factor: 1.6)
    /// Names are looked up again after a connection failed or was lost, but no more often than this.
    public var resolveInterval = Duration.seconds(5)
    /// How servers' health is checked; `nil` disables it.
    public var healthCheck: HealthCheck? = HealthCheck()
    /// How calls are retried that fail because no server is available.
    public var retry = RetryPolicy()
    /// Calls and streams that run at the same time on one connection; further ones wait. Lower than the limit of this
    /// suite's servers.
    public var callsPerConnection = 4_000
    /// Connections to each address. One is enough for most clients: its calls are interleaved, and one write carries
    /// many. More are of use where large messages delay small ones behind them, or where one event loop of the server,
    /// which serves a connection, is too little.
    public var connectionsPerAddress = 1
    /// Calls that may wait for a connection with room; one more fails with RESOURCE_EXHAUSTED.
    public var waitingCalls = 4_000
    /// Bytes of one stream's messages that may wait for their reader; beyond them the stream fails.
    public var unreadBytesPerStream = 4 << 20
    /// What happens to a stream beyond ``unreadBytesPerStream``.
    public var unreadStreams = UnreadStreams.fail
    /// Records calls made outside a handler; those of a handler continue its trace in any case.
    public var tracer: (any Tracer)?
    /// Counts the client's calls; `nil` counts none.
    public var metrics: ClientMetrics?
    /// Returns a random number from 0 to 1, for jitter.
    public var chance: @Sendable () -> Double = { .random(in: 0...1) }
    /// The first stream id of every connection; a test that exhausts the ids begins near their end.
    var firstStreamID: UInt32 = 1

    /// Settings that suit a service calling its peers.
    public init() {}
  }

  /// What a client does with a stream whose messages arrive faster than they are read.
  public enum UnreadStreams: Sendable {
    /// The stream fails, and the connection's other calls continue.
    case fail
    /// Its connection is not read until half of the waiting bytes are read: for a client with one call at a time. The
    /// server has limits of its own, and closes the connection of a client that reads nothing for long.
    case pauseReading
  }

  /// How a client detects that a server does not serve or is gone.
  ///
  /// The check is `grpc.health.v1.Health/Check`, on every connection. A response other than SERVING takes the server
  /// out of the rotation until it responds SERVING again; a server that does not know the method counts as serving.
  /// When nothing at all is received from a server while a check waits for its response, the connection is closed as
  /// dead, and its calls fail.
  public struct HealthCheck: Sendable {
    /// The service to ask about; empty for the server as a whole.
    public var service: String
    /// From one response to the next check.
    public var interval: Duration
    /// How long a response may take.
    public var timeout: Duration

    public init(service: String = "", interval: Duration = .seconds(10), timeout: Duration = .seconds(5)) {
      self.service = service
      self.interval = interval
      self.timeout = timeout
    }
  }
}
