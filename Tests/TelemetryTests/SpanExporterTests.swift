import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Telemetry

/// Answers each POST with the next of some statuses, the last of them repeatedly.
private final class Answering: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let statuses: Mutex<[Int]>
  private let asked = Mutex(0)

  init(_ statuses: [Int]) { self.statuses = Mutex(statuses) }

  var count: Int { asked.withLock { $0 } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .end = unwrapInboundIn(data) else { return }
    asked.withLock { $0 += 1 }
    let status = statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    let headers: HTTPHeaders = ["content-length": "0", "retry-after": "0"]
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}

@Suite("The exporter of spans", .timeLimit(.minutes(5)))
struct SpanExporterTests {
  /// What the collector was asked, and how many spans are left, after one span was exported by a service that then stopped.
  private func export(answering statuses: [Int]) async throws -> Int {
    let answering = Answering(statuses)
    let collector = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(answering)
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(collector.localAddress?.port)
    let queue = SpanQueue(batch: 1)
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let exporter = try SpanExporter(
      queue, to: .init(address: try #require(CollectorAddress("http://127.0.0.1:\(port)")), resource: []),
      group: .singletonMultiThreadedEventLoopGroup, logger: quiet)
    let group = ServiceGroup(services: [exporter], logger: quiet)
    async let running: Void = group.run()
    SpanRecorder(queue, ratio: 1).startSpan("a").end()
    let expected = statuses.count
    #expect(try await eventually { answering.count >= expected })
    await group.triggerGracefulShutdown()
    try await running
    try await collector.close()
    return answering.count
  }

  @Test("offers a batch again where the collector says later, until it takes it")
  func again() async throws {
    #expect(try await export(answering: [503, 429, 200]) == 3)
  }

  @Test("does not repeat what the collector refuses for good")
  func refused() async throws {
    #expect(try await export(answering: [400]) == 1)
  }

  @Test("gives a batch up after some attempts")
  func timeout() async throws {
    #expect(try await export(answering: [503, 503, 503, 503]) == SpanExporter.attempts)
  }

  @Test("a collector that is not there keeps no service from stopping")
  func absent() async throws {
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let queue = SpanQueue(batch: 1)
    let exporter = try SpanExporter(
      queue, to: .init(address: try #require(CollectorAddress("http://127.0.0.1:1")), resource: []),
      group: .singletonMultiThreadedEventLoopGroup, logger: quiet)
    let group = ServiceGroup(services: [exporter], logger: quiet)
    async let running: Void = group.run()
    SpanRecorder(queue, ratio: 1).startSpan("a").end()
    await group.triggerGracefulShutdown()
    try await running
    #expect(queue.take().isEmpty)
  }

  /// Accepts connections and reads what they send, and never answers.
  private final class Silent: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    let asked = Mutex(0)
    let open = Mutex(0)

    func channelActive(context: ChannelHandlerContext) { open.withLock { $0 += 1 } }
    func channelInactive(context: ChannelHandlerContext) { open.withLock { $0 -= 1 } }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { asked.withLock { $0 += 1 } }
  }

  @Test("a collector that takes everything and never answers keeps no service from stopping, and loses its connection")
  func silent() async throws {
    let silent = Silent()
    let collector = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { $0.pipeline.addHandler(silent) }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(collector.localAddress?.port)
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let queue = SpanQueue(batch: 1)
    // Only the flush's own limit can end it: the response may take longer than any test.
    let exporter = try SpanExporter(
      queue, to: .init(address: try #require(CollectorAddress("http://127.0.0.1:\(port)")), resource: []),
      group: .singletonMultiThreadedEventLoopGroup, timeout: .hours(24), flushTime: .milliseconds(20), logger: quiet)
    let group = ServiceGroup(services: [exporter], logger: quiet)
    async let running: Void = group.run()
    SpanRecorder(queue, ratio: 1).startSpan("a").end()
    #expect(try await eventually { silent.asked.withLock { $0 } > 0 })
    SpanRecorder(queue, ratio: 1).startSpan("b").end()
    await group.triggerGracefulShutdown()
    try await running
    #expect(queue.take().isEmpty)
    #expect(try await eventually { silent.open.withLock { $0 } == 0 })
    try await collector.close()
  }
}
