import NIOCore
import TTRPC
import TTRPCFrames

extension RPCServer {
  /// The limits of clients, each and all together. A call beyond a limit is refused with RESOURCE_EXHAUSTED and a
  /// reason, one that takes too long with DEADLINE_EXCEEDED; where there is no call to refuse, the connection is
  /// closed. All are counted by reason in `rpc_server_refusals`.
  public struct Limits: Sendable {
    // MARK: Numbers

    /// Connections in all; one more is closed at once.
    public var connections = 16_384
    /// Connections from one IPv4 address, or one IPv6 network of 64 bits, which is what one host is assigned; fewer
    /// when few are free.
    public var connectionsPerAddress = 1_024
    /// New connections of one network in a second, beyond ``connectionBurst`` at once. A handshake takes a core about
    /// half a millisecond.
    public var connectionRate = 100
    /// New connections of one network that may come at once: those of an office after an outage.
    public var connectionBurst = 1_024
    /// Calls, streams included, that run at the same time in all; one more is refused.
    public var calls = 32_768
    /// Calls, streams included, that run at the same time on one connection, unless it is a service's, whose clients
    /// have a share each.
    public var callsPerConnection = 4_096

    // MARK: Shares of one client

    /// Percent of what is free, of connections, of the places for calls and of the buffers, that one client may have:
    /// an address, or a user once the call has authenticated one. With 20 one client gets a sixth of an empty server,
    /// and however many clients take theirs, there is some left: see ``Principal``.
    public var sharePercent = 20
    /// Percent of the places for calls, and of the buffers, that are left to health checks and to services known by
    /// certificate; and of connections, that are left to networks of services and to those that have none.
    public var reservePercent = 5

    // MARK: Sizes

    /// Bytes of the longest frame's body that is accepted, at most ttrpc's own limit of 4 MiB; a longer one is skipped
    /// and its call refused.
    public var messageBytes = FrameHeader.maximumLength
    /// Bytes of a call's metadata, names included.
    public var metadataBytes = 32_768
    /// Names of a call's metadata, repeated ones counted each time.
    public var metadataPairs = 128

    // MARK: Memory

    /// Bytes that the server may hold for all connections: unfinished frames, unread messages, and unsent responses.
    /// Beside them each connection may hold 16 KiB of what it sends and 16 KiB of what it is sent.
    public var bufferedBytes = 256 << 20
    /// Bytes of one stream's messages that may wait for its handler; beyond them the stream is refused.
    public var unreadBytesPerStream = 4 << 20
    /// Bytes of a connection's requests and messages that the server may hold; further ones are refused.
    public var unreadBytesPerConnection = 32 << 20
    /// Bytes of a connection's responses that its client has not read; beyond them a response is replaced by a refusal.
    public var unsentBytesPerConnection = 32 << 20

    // MARK: Times

    /// How long a unary call may take; its client may set a shorter time.
    public var callDuration = TimeAmount.seconds(60)
    /// How long a stream may last; its client may set a shorter time, which ttrpc's Go client never does.
    public var streamDuration = TimeAmount.hours(1)
    /// How long a stream may last whose method anyone may call.
    public var anonymousStreamDuration = TimeAmount.minutes(5)
    /// How long a stream may take until the first message, where that has to authenticate the caller.
    public var firstMessageTime = TimeAmount.seconds(10)
    /// How long a connection may take for the TLS handshake.
    public var handshakeTime = TimeAmount.seconds(10)
    /// How long a plaintext connection may take until its first byte: three times the interval of this suite's clients
    /// between two health checks, so that a client which connects before it makes calls is kept.
    public var firstByteTime = TimeAmount.seconds(30)
    /// How long a connection may be without a call and send nothing.
    public var idleTime = TimeAmount.minutes(15)
    /// How long a frame may take for each 64 KiB of it, the last included.
    public var frameTime = TimeAmount.seconds(20)
    /// How long a client may take to read each 64 KiB of its responses while more wait.
    public var writeTime = TimeAmount.seconds(20)
    /// How long a server-streaming call may send nothing, while the server stops, before it counts as one without an
    /// end; at most a tenth of the grace period.
    var streamRest = Duration.seconds(1)
    /// How often the time limits of connections are checked.
    var sweepInterval = TimeAmount.seconds(1)
    /// How long a connection without calls is kept after its client was notified that the server stops; at most the
    /// grace period. It is enough for a distant client on a busy machine. A client that leaves by itself loses no call;
    /// others have theirs refused meanwhile.
    var noticeTime = Duration.seconds(1)
    /// How long a client may take to close after it was notified that no more responses come.
    var lingerTime = TimeAmount.seconds(1)

    /// The defaults, which suit a service behind a gateway.
    public init() {}

    /// The reserved part of `whole`.
    func reserve(of whole: Int) -> Int { whole * reservePercent / 100 }

    /// - Parameter isService: whether the client is a service, known by its certificate.
    func duration(of method: MethodDescriptor, isService: Bool) -> TimeAmount {
      if method.kind == .unary { return callDuration }
      return method.access == .public && !isService ? min(anonymousStreamDuration, streamDuration) : streamDuration
    }
  }
}
