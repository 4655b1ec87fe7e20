import EchoV1
import Logging
import LoopExecutor
import NIOCore
import NIOEmbedded
import TTRPC
import TTRPCServer

/// The first byte says how the rest arrives: its low six bits how it is cut into reads, the others what the client does beside sending.
enum ConnectionFuzzing {
  private struct Manner: OptionSet {
    let rawValue: UInt8
    /// The client takes nothing until all is sent.
    static let readsLate = Manner(rawValue: 0x40)
    /// The client closes its sending side at the end.
    static let halfCloses = Manner(rawValue: 0x80)
  }

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    let cut = first & 0x3F == 0 ? max(bytes.count, 1) : Int(first & 0x3F)
    let client = FedConnection()
    client.feed(bytes.dropFirst(), cut: cut, readingLate: Manner(rawValue: first).contains(.readsLate))
    if Manner(rawValue: first).contains(.halfCloses) { client.halfClose() }
    client.close()
  }
}

/// A server's connection in a channel that is fed by hand, on a loop that is turned by hand: the same bytes give the same run.
private final class FedConnection {
  private let loop = EmbeddedEventLoop()
  private let channel: EmbeddedChannel
  // Made once: it costs more than most runs.
  private static let calls = CallCount()
  private static let router = Router([CountedEcho(calls: calls)])
  private var transcript = Transcript()

  init() {
    var limits = RPCServer.Limits()
    // Small, so that few bytes reach them.
    limits.callsPerConnection = 8
    limits.unreadBytesPerStream = 1_024
    limits.unreadBytesPerConnection = 2_048
    let connection = RPCServer.connection(
      answering: Self.router, limits: limits, on: LoopExecutor(loop: loop, index: 0),
      logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    channel = EmbeddedChannel(handler: connection, loop: loop)
    expect("the channel opens") { try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait() }
  }

  private func expect(_ what: String, _ act: () throws -> Void) {
    do { try act() } catch { preconditionFailure("\(what): \(error)") }
  }

  func feed(_ wire: Slice<UnsafeRawBufferPointer>, cut: Int, readingLate: Bool) {
    if readingLate { channel.isWritable = false }
    for start in stride(from: wire.startIndex, to: wire.endIndex, by: cut) where channel.isActive {
      let piece = wire[start..<min(start + cut, wire.endIndex)]
      expect("bytes raise no error") { try channel.writeInbound(ByteBuffer(bytes: piece)) }
      turn()
    }
    if readingLate {
      channel.isWritable = true
      channel.pipeline.fireChannelWritabilityChanged()
      turn()
    }
  }

  func halfClose() {
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    turn()
  }

  /// Closes, and expects every call to have ended by that.
  func close() {
    expect("closing raises no error") { _ = try channel.finish(acceptAlreadyClosed: true) }
    turn()
    precondition(Self.calls.running == 0, "\(Self.calls.running) handlers outlive their connection")
    precondition(transcript.isWhole, "the server's last frame is cut off")
  }

  /// Lets the loop do what is due and takes what was sent. Senders in a row need a turn each.
  private func turn() {
    for _ in 0..<8 { loop.advanceTime(by: .milliseconds(1)) }
    expect("the server sends bytes") {
      while let sent = try channel.readOutbound(as: ByteBuffer.self) { transcript.append(sent) }
    }
  }
}

/// Handlers that run.
///
/// `@unchecked Sendable`: one run at a time, each on the thread that turns its loop.
private final class CallCount: @unchecked Sendable {
  var running = 0
}

/// `echo.v1.Echo`, as far as it needs no clock.
private struct CountedEcho: EchoService {
  let calls: CallCount

  private func counted<R>(_ body: () async throws -> R) async throws -> R {
    calls.running += 1
    defer { calls.running -= 1 }
    return try await body()
  }

  func unary(_ request: Msg, _ context: CallContext) async throws -> Msg { try await counted { request } }
  func meta(_ request: Msg, _ context: CallContext) async throws -> Msg {
    try await counted { Msg(value: context.metadata.pairs.map(\.name).joined()) }
  }
  /// Waits until it is cancelled.
  func sleep(_ request: Msg, _ context: CallContext) async throws -> Msg {
    try await counted {
      let (never, _) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      throw CancellationError()
    }
  }
  func fail(_ request: Msg, _ context: CallContext) async throws -> Msg {
    try await counted { throw Status(.failedPrecondition, reason: "TOLD_TO", request.value) }
  }
  func failPlain(_ request: Msg, _ context: CallContext) async throws -> Msg {
    try await counted { throw Status(.failedPrecondition, request.value) }
  }
  func big(_ request: Msg, _ context: CallContext) async throws -> Msg {
    try await counted { Msg(value: String(repeating: "x", count: 5_000)) }
  }
  func collect(_ requests: MessageStream<Msg>, _ context: CallContext) async throws -> Msg {
    try await counted {
      var bytes = 0
      for try await request in requests { bytes += request.value.utf8.count }
      return Msg(value: "\(bytes)")
    }
  }
  func expand(_ request: Msg, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await counted { for _ in 0..<3 { try await responses.send(request) } }
  }
  /// Reads nothing.
  func expandFail(_ request: Msg, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await counted {
      try await responses.send(request)
      throw Status(.failedPrecondition, request.value)
    }
  }
  func chat(_ requests: MessageStream<Msg>, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await counted { for try await request in requests { try await responses.send(request) } }
  }
}
