import TTRPCServer
import Testing

@testable import ServiceRuntime

@Suite("Settings of limits")
struct LimitSettingsTests {
  private func limits(_ arguments: [String] = []) throws -> RPCServer.Limits {
    RPCServer.Limits(
      try Settings.resolve(
        RuntimeSettings.all, service: "identity", from: SettingSources(arguments: arguments), requiring: .nothing))
  }

  @Test("by default the limits are the port's own")
  func defaults() throws {
    let (limits, usual) = (try limits(), RPCServer.Limits())
    #expect(limits.connections == usual.connections && limits.connectionsPerAddress == usual.connectionsPerAddress)
    #expect(limits.calls == usual.calls && limits.callsPerConnection == usual.callsPerConnection)
    #expect(limits.sharePercent == usual.sharePercent && limits.reservePercent == usual.reservePercent)
    #expect(limits.firstMessageTime == usual.firstMessageTime)
    #expect(limits.messageBytes == usual.messageBytes && limits.metadataBytes == usual.metadataBytes)
    #expect(limits.bufferedBytes == usual.bufferedBytes)
    #expect(limits.unreadBytesPerConnection == usual.unreadBytesPerConnection)
    #expect(limits.unsentBytesPerConnection == usual.unsentBytesPerConnection)
    #expect(limits.unreadBytesPerStream == usual.unreadBytesPerStream && limits.metadataPairs == usual.metadataPairs)
    #expect(limits.callDuration == usual.callDuration && limits.streamDuration == usual.streamDuration)
    #expect(limits.idleTime == usual.idleTime && limits.handshakeTime == usual.handshakeTime)
    #expect(limits.firstByteTime == usual.firstByteTime)
    #expect(limits.frameTime == usual.frameTime && limits.writeTime == usual.writeTime)
  }

  @Test("every setting sets its limit, in its unit")
  func set() throws {
    let limits = try limits([
      "--max-connections=1", "--max-connections-per-address=2", "--max-calls=3", "--max-calls-per-connection=4",
      "--max-message-bytes=5000", "--max-metadata-bytes=6000", "--max-buffered-mib=7", "--call-time=8s",
      "--stream-time=9m", "--idle-time=10s", "--handshake-time=11s", "--stall-time=12s",
      "--max-buffered-mib-per-connection=13", "--max-unread-mib-per-stream=14", "--max-metadata-pairs=15",
      "--max-client-share=16", "--reserved-share=17", "--first-message-time=18s", "--first-byte-time=19s",
    ])
    #expect(
      [limits.connections, limits.connectionsPerAddress, limits.calls, limits.callsPerConnection] == [1, 2, 3, 4])
    #expect([limits.messageBytes, limits.metadataBytes, limits.bufferedBytes] == [5_000, 6_000, 7 * 1_048_576])
    #expect(limits.unreadBytesPerConnection == 13 << 20 && limits.unsentBytesPerConnection == 13 << 20)
    #expect(limits.unreadBytesPerStream == 14 << 20 && limits.metadataPairs == 15)
    #expect(limits.sharePercent == 16 && limits.reservePercent == 17 && limits.firstMessageTime == .seconds(18))
    #expect(limits.callDuration == .seconds(8) && limits.streamDuration == .minutes(9))
    #expect(limits.idleTime == .seconds(10) && limits.handshakeTime == .seconds(11))
    #expect(limits.firstByteTime == .seconds(19))
    #expect(limits.frameTime == .seconds(12) && limits.writeTime == .seconds(12))
  }
}
