import NIOCore

extension RPCServer {
  /// What clients may take, one by one and all together. A call beyond a limit is refused with RESOURCE_EXHAUSTED and a reason, one that
  /// takes too long with DEADLINE_EXCEEDED; where there is no call to refuse, the connection is closed. All are counted by reason in
  /// `rpc_server_refusals`.
  public struct Limits: Sendable {
    // MARK: How many

    /// Connections in all; one more is closed at once.
    public var connections = 16_384
    /// Connections from one IPv4 address, or one IPv6 network of 64 bits, which is what one host is given; fewer when few are free.
    public var connectionsPerAddress = 1_024
    /// Calls, streams included, that run at the same time in all; one more is refused.
    public var calls = 32_768
    /// The same on one connection.
    public var callsPerConnection = 4_096

    // MARK: How much for one

    /// Percent of what is free, of connections, of the places for calls and of the buffers, that one client may have: an address, or a user once the
    /// call has proved one. With 20 one client gets a sixth of an empty server, and whatever many get, there is some left: see
    /// ``Principal``.
    public var sharePercent = 20
    /// Percent of the places for calls, and of the buffers, that are left to checks of health and to services known by certificate.
    public var reservePercent = 5

    // MARK: How large

    /// Bytes of the longest frame's body that is taken, at most ttrpc's own limit of 4 MiB; a longer one is skipped and its call refused.
    public var messageBytes = FrameHeader.maximumLength
    /// Bytes of a call's metadata, names included.
    public var metadataBytes = 32_768
    /// Names of a call's metadata, repeated ones counted each time.
    public var metadataPairs = 128

    // MARK: How much in memory

    /// Bytes that all connections may have the server hold: frames that have begun, messages that were not worked through, and answers that
    /// were not taken. Each connection may hold 16 KiB of what it sends and 16 KiB of what it is sent beside them.
    public var bufferedBytes = 256 << 20
    /// Bytes of one stream's messages that may wait for its handler; beyond them the stream is refused.
    public var unreadBytesPerStream = 4 << 20
    /// Bytes of a connection's requests and messages that may be in the server; beyond them what comes is refused.
    public var unreadBytesPerConnection = 32 << 20
    /// Bytes of a connection's answers that its client has not taken; beyond them an answer is replaced by a refusal.
    public var unsentBytesPerConnection = 32 << 20

    // MARK: How long

    /// How long a unary call may take; its client may set less.
    public var callDuration = TimeAmount.seconds(60)
    /// How long a stream may last; its client may set less, which ttrpc's Go client never does.
    public var streamDuration = TimeAmount.hours(1)
    /// How long a stream may take until the first message that is to prove who calls.
    public var firstMessageTime = TimeAmount.seconds(10)
    /// How long a connection may take until TLS is agreed.
    public var handshakeTime = TimeAmount.seconds(10)
    /// How long a connection in plaintext may take until its first byte: three times as long as our clients rest between two checks of
    /// health, so that one which connects before it is called is kept.
    public var firstByteTime = TimeAmount.seconds(30)
    /// How long a connection may be without a call and send nothing.
    public var idleTime = TimeAmount.minutes(15)
    /// How long a frame may take for each 64 KiB of it, the last included.
    public var frameTime = TimeAmount.seconds(20)
    /// How long a client may take for each 64 KiB of its answers while more wait.
    public var writeTime = TimeAmount.seconds(20)
    /// How long a stream of answers may send nothing, while the server stops, before it counts as one that lasts, if a tenth of the grace
    /// period is not shorter.
    var streamRest = Duration.seconds(1)
    /// How often the ages of connections are looked at.
    var sweepInterval = TimeAmount.seconds(1)
    /// How long a connection without calls is kept once its client was told that the server stops, if the grace period is not shorter:
    /// enough for a client far away on a busy machine. One that goes away by itself loses no call; others have theirs refused meanwhile.
    var noticeTime = Duration.seconds(1)
    /// How long a client may take to close once it was told that no more comes.
    var lingerTime = TimeAmount.seconds(1)

    /// The limits that suit a service behind a gateway.
    public init() {}

    /// What of `whole` is reserved.
    func reserve(of whole: Int) -> Int { whole * reservePercent / 100 }

    func duration(of kind: MethodKind) -> TimeAmount {
      kind == .unary ? callDuration : streamDuration
    }
  }
}
