import Glibc
import NIOCore

/// How long a peer may leave what it is sent unacknowledged, or its window closed, before the system gives the
/// connection up (TCP_USER_TIMEOUT, RFC 5482): by itself it goes on for a quarter of an hour, and a phone out of reach
/// would count as connected for as long.
package enum UnacknowledgedTime {
  package static let milliseconds: ChannelOptions.Types.SocketOption.Value = 30_000
  package static let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))
}
