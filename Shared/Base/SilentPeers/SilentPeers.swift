import Glibc
import NIOCore
public import NIOPosix

/// When the system gives up the connection of a peer that is gone without a word, as a phone out of reach or a machine
/// without power: every socket over TCP has these options.
enum SilentPeers {
  /// By name, the values of a socket's options.
  ///
  /// - How long a peer may leave what it is sent unacknowledged, or its window closed, in milliseconds
  ///   (TCP_USER_TIMEOUT, RFC 5482): by itself the system goes on for a quarter of an hour.
  /// - When a connection on which nothing is sent is looked at, in seconds, how often, and how many looks without an
  ///   answer end it: with the system's own values that takes two hours.
  static let options: [(ChannelOptions.Types.SocketOption, ChannelOptions.Types.SocketOption.Value)] = [
    (.init(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)), 30_000),
    (.init(level: .socket, name: .so_keepalive), 1),
    (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 60),
    (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 10),
    (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 6),
  ]
}

extension ServerBootstrap {
  /// Has the system end accepted connections whose clients are gone without a word, within two minutes.
  public func endingSilentConnections() -> ServerBootstrap {
    SilentPeers.options.reduce(self) { $0.childChannelOption($1.0, value: $1.1) }
  }
}

extension ClientBootstrap {
  /// Has the system end the connection if the server is gone without a word, within two minutes.
  public func endingSilentConnections() -> ClientBootstrap {
    SilentPeers.options.reduce(self) { $0.channelOption($1.0, value: $1.1) }
  }
}
