import NIOCore
import TTRPCServer

/// The limits of the RPC port that an operator may have reason to change; the others are constants of ``RPCServer/Limits``.
public enum LimitSettings {
  /// Connections in all.
  public static let connections = Setting<Int>(
    "max-connections", .number(1...1_000_000), default: "\(usual.connections)",
    meaning: "connections at a time; one more is closed")
  /// Connections of one client.
  public static let connectionsPerAddress = Setting<Int>(
    "max-connections-per-address", .number(1...1_000_000), default: "\(usual.connectionsPerAddress)",
    meaning:
      "connections at a time from one IPv4 address or IPv6 /64 network, and fewer when few are free; as many as max-connections behind a proxy that all clients come by"
  )
  /// Calls in all.
  public static let calls = Setting<Int>(
    "max-calls", .number(1...1_000_000), default: "\(usual.calls)",
    meaning: "calls at a time, streams included; one more is refused")
  /// Calls of one connection.
  public static let callsPerConnection = Setting<Int>(
    "max-calls-per-connection", .number(1...1_000_000), default: "\(usual.callsPerConnection)",
    meaning: "the same for one connection")
  /// The share of what is free that one client may have.
  public static let clientShare = Setting<Int>(
    "max-client-share", .number(1...10_000), default: "\(usual.sharePercent)",
    meaning: "percent of what is free, of places for calls and of buffers, for one address, or one user once logged in")
  /// The share that is reserved for health checks and peers.
  public static let reservedShare = Setting<Int>(
    "reserved-share", .number(0...50), default: "\(usual.reservePercent)",
    meaning: "percent of them kept for health checks and for services known by certificate")
  /// Bytes of the longest message.
  public static let messageBytes = Setting<Int>(
    "max-message-bytes", .number(1_024...usual.messageBytes), default: "\(usual.messageBytes)",
    meaning: "bytes of the longest request or message that is taken")
  /// Bytes of a call's metadata.
  public static let metadataBytes = Setting<Int>(
    "max-metadata-bytes", .number(1_024...1_048_576), default: "\(usual.metadataBytes)",
    meaning: "bytes of a call's metadata, names included")
  /// The bytes buffered for all connections.
  public static let bufferedMebibytes = Setting<Int>(
    "max-buffered-mib", .number(1...65_536), default: "\(usual.bufferedBytes >> 20)",
    meaning: "MiB of unfinished requests, unread messages and unsent answers in memory, of all connections together")
  /// The bytes buffered for one connection.
  public static let bufferedMebibytesPerConnection = Setting<Int>(
    "max-buffered-mib-per-connection", .number(1...65_536), default: "\(usual.unreadBytesPerConnection >> 20)",
    meaning: "MiB of unread messages, and as many of unsent answers, of one connection")
  /// The bytes buffered for one stream.
  public static let unreadMebibytesPerStream = Setting<Int>(
    "max-unread-mib-per-stream", .number(1...65_536), default: "\(usual.unreadBytesPerStream >> 20)",
    meaning: "MiB of a stream's messages that may wait for their reader")
  /// The number of names in a call's metadata.
  public static let metadataPairs = Setting<Int>(
    "max-metadata-pairs", .number(1...10_000), default: "\(usual.metadataPairs)",
    meaning: "names of a call's metadata, repeated ones counted each time")
  /// How long a unary call may take.
  public static let callTime = Setting<Duration>(
    "call-time", .positiveDuration, default: Duration(usual.callDuration),
    meaning: "how long a call may take; a client may set less")
  /// How long a stream may last.
  public static let streamTime = Setting<Duration>(
    "stream-time", .positiveDuration, default: Duration(usual.streamDuration),
    meaning: "how long a stream may last; a client may set less")
  /// How long a stream may take until its first message has authenticated the caller.
  public static let firstMessageTime = Setting<Duration>(
    "first-message-time", .positiveDuration, default: Duration(usual.firstMessageTime),
    meaning: "how long a stream may take until the first message where that carries its access token")
  /// How long a connection may be idle.
  public static let idleTime = Setting<Duration>(
    "idle-time", .positiveDuration, default: Duration(usual.idleTime),
    meaning: "how long a connection without calls is kept")
  /// How long the TLS handshake may take.
  public static let handshakeTime = Setting<Duration>(
    "handshake-time", .positiveDuration, default: Duration(usual.handshakeTime),
    meaning: "how long a new connection may take to agree on TLS")
  /// How long a plaintext connection may take until its first byte.
  public static let firstByteTime = Setting<Duration>(
    "first-byte-time", .positiveDuration, default: Duration(usual.firstByteTime),
    meaning: "how long a new plaintext connection may take to send its first byte")
  /// How long a peer may make no progress.
  public static let stallTime = Setting<Duration>(
    "stall-time", .positiveDuration, default: Duration(usual.frameTime),
    meaning: "how long a client may take for each 64 KiB of a message it sends, or of answers that wait for it")

  /// Refuses a longest message that no connection could have buffered: such messages would be refused and retried for
  /// ever.
  static func check(_ settings: Settings) throws(StartupError) {
    let longest = settings[messageBytes]
    let lines = [bufferedMebibytes, bufferedMebibytesPerConnection, unreadMebibytesPerStream].compactMap {
      room -> String? in
      let (key, bytes) = (room.description.key, settings[room] << 20)
      return bytes >= longest
        ? nil
        : """
        setting max-message-bytes: \(longest) is more than \(key) lets wait, which is \(bytes) bytes; \
        lower --max-message-bytes to that or raise --\(key)
        """
    }
    guard lines.isEmpty else { throw StartupError(usage: lines) }
  }

  private static let usual = RPCServer.Limits()

  /// All of them, in the order of listings.
  static let all: [SettingDescription] = [
    connections.description, connectionsPerAddress.description, calls.description, callsPerConnection.description,
    clientShare.description, reservedShare.description, messageBytes.description, metadataBytes.description,
    metadataPairs.description, bufferedMebibytes.description, bufferedMebibytesPerConnection.description,
    unreadMebibytesPerStream.description, callTime.description, streamTime.description, firstMessageTime.description,
    idleTime.description, handshakeTime.description, firstByteTime.description, stallTime.description,
  ]
}

extension RPCServer.Limits {
  /// The configured limits.
  init(_ settings: Settings) {
    self.init()
    connections = settings[LimitSettings.connections]
    connectionsPerAddress = settings[LimitSettings.connectionsPerAddress]
    // Where an address may have more connections, more of them come at once.
    connectionRate = max(connectionRate, connectionsPerAddress / 10)
    connectionBurst = max(connectionBurst, connectionsPerAddress)
    calls = settings[LimitSettings.calls]
    callsPerConnection = settings[LimitSettings.callsPerConnection]
    sharePercent = settings[LimitSettings.clientShare]
    reservePercent = settings[LimitSettings.reservedShare]
    messageBytes = settings[LimitSettings.messageBytes]
    metadataBytes = settings[LimitSettings.metadataBytes]
    bufferedBytes = settings[LimitSettings.bufferedMebibytes] << 20
    unreadBytesPerConnection = settings[LimitSettings.bufferedMebibytesPerConnection] << 20
    unsentBytesPerConnection = unreadBytesPerConnection
    unreadBytesPerStream = settings[LimitSettings.unreadMebibytesPerStream] << 20
    metadataPairs = settings[LimitSettings.metadataPairs]
    callDuration = TimeAmount(settings[LimitSettings.callTime])
    streamDuration = TimeAmount(settings[LimitSettings.streamTime])
    firstMessageTime = TimeAmount(settings[LimitSettings.firstMessageTime])
    idleTime = TimeAmount(settings[LimitSettings.idleTime])
    handshakeTime = TimeAmount(settings[LimitSettings.handshakeTime])
    firstByteTime = TimeAmount(settings[LimitSettings.firstByteTime])
    frameTime = TimeAmount(settings[LimitSettings.stallTime])
    writeTime = TimeAmount(settings[LimitSettings.stallTime])
  }
}
