import NIOCore
import NIOPosix

/// A process of the suite, as its port for health and metrics is reached.
public struct Replica: Sendable, Hashable {
  /// `identity`, or `gateway`.
  public let service: String
  public let host: String
  public let port: Int

  public init(service: String, host: String, port: Int) {
    (self.service, self.host, self.port) = (service, host, port)
  }

  var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Reads pages of ports for health and metrics.
struct AdminPort: Sendable {
  struct Answer: Sendable {
    let status: Int
    let contentType: String
    let body: [UInt8]

    var isJSON: Bool { contentType.hasPrefix("application/json") }
  }

  /// Why there is no answer.
  enum Failure: Error, CustomStringConvertible {
    case unreachable(String)
    case late
    case unreadable

    var description: String {
      switch self {
      case .unreachable(let reason): "it cannot be reached: \(reason)"
      case .late: "it did not answer in time"
      case .unreadable: "what it answered is no page"
      }
    }
  }

  /// Longer than a readiness check may take before it counts as failed.
  private static let timeout = TimeAmount.seconds(3)
  /// Bytes; the metrics of a busy service take some hundred thousand.
  private static let maxBytes = 8 << 20

  let group: any EventLoopGroup

  func page(_ path: String, of replica: Replica) async throws(Failure) -> Answer {
    let loop = group.any()
    let whole = loop.makePromise(of: [UInt8].self)
    let timer = loop.scheduleTask(in: Self.timeout) { whole.fail(Failure.late) }
    let channel: any Channel
    do {
      channel = try await ClientBootstrap(group: loop).connectTimeout(Self.timeout)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Collector(whole, maxBytes: Self.maxBytes))
          }
        }
        .connect(host: replica.host, port: replica.port).get()
    } catch {
      timer.cancel()
      whole.fail(Failure.late)
      throw .unreachable("\(error)")
    }
    defer {
      timer.cancel()
      channel.close(promise: nil)
    }
    // By this name the port takes a request for one of its own machine's.
    let request = "GET \(path) HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
    channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
    do {
      return try Self.answer(try await whole.futureResult.get())
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .unreachable("\(error)")
    }
  }

  /// Splits head and body.
  static func answer(_ bytes: [UInt8]) throws(Failure) -> Answer {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { throw .unreadable }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .unreadable }
    let type = lines.dropFirst().first { $0.lowercased().hasPrefix("content-type:") }
    let contentType = type.map { String($0.dropFirst("content-type:".count).drop { $0 == " " }) } ?? ""
    return Answer(status: status, contentType: contentType, body: Array(bytes[(end + mark.count)...]))
  }
}

/// Collects all that comes until the other side closes. Confined to the connection's event loop.
private final class Collector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let whole: EventLoopPromise<[UInt8]>
  private let maxBytes: Int
  private var bytes: [UInt8] = []

  init(_ whole: EventLoopPromise<[UInt8]>, maxBytes: Int) { (self.whole, self.maxBytes) = (whole, maxBytes) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
    guard bytes.count > maxBytes else { return }
    whole.fail(AdminPort.Failure.unreadable)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    whole.succeed(bytes)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    whole.fail(AdminPort.Failure.unreachable("\(error)"))
    context.close(promise: nil)
  }
}
