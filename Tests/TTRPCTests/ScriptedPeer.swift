import Backoff
import EchoV1
import GRPCHealth
import LoopExecutor
import NIOCore
import NIOPosix
import ProtobufC
import Synchronization
import TestSupport
import TTRPCWire

@testable import TTRPC
@testable import TTRPCClient
@testable import TTRPCFrames

/// A server that treats each request as a test asks, and records what it received.
final class ScriptedPeer: Sendable {
  enum Reaction {
    case answer(Msg)
    /// A HealthCheckResponse with that status.
    case check(Int32)
    case fail(TTRPC.Status)
    case silence
    /// A frame that belongs to no call.
    case noise
    /// The notice of a server that stops; the call itself stays without an answer.
    case notice
    case hangUp
  }

  struct Seen: Sendable {
    let connection: Int
    let streamID: UInt32
    let request: TTRPCWire.Request
    var method: String { request.method }
  }

  private struct State {
    var seen: [Seen] = []
    var connections: [any Channel] = []
    var accepted = 0
  }

  typealias Script = @Sendable (Seen) -> Reaction

  let address: RPCClient.Address
  private let listener: any Channel
  private let state: Box

  private final class Box: Sendable {
    let state = Mutex(State())
  }

  /// - Parameter address: where to listen; port 0 takes a free one.
  init(
    _ address: RPCClient.Address = .init(host: "127.0.0.1", port: 0), on group: LoopGroup,
    _ script: @escaping Script = { _ in .answer(Msg(value: "ok")) }
  ) async throws {
    let state = Box()
    listener = try await ServerBootstrap(group: group.executors[group.executors.count - 1].loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        let index = state.state.withLock { state in
          state.connections.append(channel)
          state.accepted += 1
          return state.accepted
        }
        let handler = Handler(index, script) { seen in state.state.withLock { $0.seen.append(seen) } }
        return channel.pipeline.addHandler(handler)
      }
      .bind(host: address.host, port: address.port).get()
    self.state = state
    self.address = .init(host: address.host, port: listener.localAddress?.port ?? 0)
  }

  /// The requests so far, in the order in which they came; without health checks.
  var calls: [Seen] { state.state.withLock { $0.seen.filter { $0.method != "Check" } } }
  /// The health checks so far.
  var checks: [Seen] { state.state.withLock { $0.seen.filter { $0.method == "Check" } } }
  /// Connections that were ever accepted.
  var accepted: Int { state.state.withLock { $0.accepted } }

  /// Connections that are open now.
  var open: Int { state.state.withLock { $0.connections.filter(\.isActive).count } }

  /// Closes the port and all connections.
  func stop() async throws {
    try await listener.close()
    try await hangUp()
  }

  /// Closes all connections.
  func hangUp() async throws {
    let connections = state.state.withLock { state in
      defer { state.connections = [] }
      return state.connections
    }
    for connection in connections where connection.isActive {
      do { try await connection.close() } catch ChannelError.alreadyClosed {
        // The client was faster.
      }
    }
  }

  /// `@unchecked Sendable`: confined to its channel's loop.
  private final class Handler: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let index: Int
    private let script: Script
    private let keep: (Seen) -> Void
    private var reader = FrameReader()

    init(_ index: Int, _ script: @escaping Script, _ keep: @escaping (Seen) -> Void) {
      self.index = index
      self.script = script
      self.keep = keep
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      reader.read(unwrapInboundIn(data)) { event in
        guard case .frame(let header, let body) = event, header.type == .request else { return true }
        let request: TTRPCWire.Request
        do { request = try TTRPCWire.Request(serialized: Array(body)) } catch {
          preconditionFailure("the client sent a malformed request: \(error)")
        }
        let seen = Seen(connection: index, streamID: header.streamID, request: request)
        keep(seen)
        react(script(seen), header.streamID, context)
        return true
      }
    }

    private func react(_ reaction: Reaction, _ streamID: UInt32, _ context: ChannelHandlerContext) {
      var frames = FrameBuffer(allocator: ByteBufferAllocator())
      let arena = Arena()
      switch reaction {
      case .answer(let message): _ = frames.appendResponse(message.packed(in: arena), on: streamID)
      case .check(let status):
        let answer = HealthCheckResponse(status: .init(rawValue: status))
        _ = frames.appendResponse(answer.packed(in: arena), on: streamID)
      case .fail(let status): frames.appendResponse(status, on: streamID, in: arena)
      case .noise: frames.appendEnd(on: 2)
      case .notice: frames.appendResponse(.draining, on: GoAway.streamID, in: arena)
      case .silence: return
      case .hangUp: return context.close(promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(frames.take()), promise: nil)
    }
  }
}

/// Loops for the length of a test, and clients and peers that end with it.
struct ClientFixture {
  let group: LoopGroup
  private let endings = Endings()

  private final class Endings: Sendable {
    let list = Mutex<[@Sendable () async throws -> Void]>([])
  }

  static func run<Result>(_ body: (ClientFixture) async throws -> Result) async throws -> Result {
    let fixture = ClientFixture(group: LoopGroup(threads: 2))
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    for end in fixture.endings.list.withLock({ $0 }).reversed() { try await end() }
    try await fixture.group.shutdown()
    return try result.get()
  }

  /// A peer that is there until the test ends or it is stopped.
  func peer(
    _ address: RPCClient.Address = .init(host: "127.0.0.1", port: 0),
    script: @escaping ScriptedPeer.Script = { _ in .answer(Msg(value: "ok")) }
  ) async throws -> ScriptedPeer {
    let peer = try await ScriptedPeer(address, on: group, script)
    endings.list.withLock { list in
      list.append {
        do { try await peer.stop() } catch ChannelError.alreadyClosed {
          // The test stopped it.
        }
      }
    }
    return peer
  }

  func client(
    _ addresses: [RPCClient.Address], _ settings: RPCClient.Settings = .quick,
    security: RPCClient.Security = .plaintext, resolver: NameResolver = .system
  ) -> RPCClient {
    let client = RPCClient(
      addresses: addresses, security: security, settings: settings, resolver: resolver, on: group.executors[0])
    endings.list.withLock { $0.append { await client.close() } }
    return client
  }

  /// An address without a listener, on a loopback address of its own, so that no other test listens there.
  func vacancy() throws -> RPCClient.Address {
    let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).\(Int.random(in: 2...254))"
    return .init(host: host, port: try FreePort.take())
  }
}

extension RPCClient.Settings {
  /// Every wait as short as can be, no repetition, no health check. However busy the machine is, no connection takes too long to open.
  static var quick: Self {
    var settings = Self()
    settings.connectTimeout = .seconds(3_600)
    settings.reconnecting = Backoff(first: .milliseconds(2), max: .milliseconds(10))
    settings.resolveInterval = .milliseconds(1)
    settings.healthCheck = nil
    settings.retry = .none
    return settings
  }

  /// The same with so long a wait between attempts that none is seen twice.
  static var patient: Self {
    var settings = quick
    settings.reconnecting = Backoff(first: .seconds(3_600), max: .seconds(3_600))
    return settings
  }

  static var repeating: Self {
    var settings = quick
    settings.retry = RetryPolicy()
    settings.retry.backoff = Backoff(first: .milliseconds(1), max: .milliseconds(2))
    return settings
  }
}

extension MethodDescriptor {
  /// `echo.v1.Echo/Unary` as a contract would have it that lets clients repeat it.
  static let repeatable = MethodDescriptor(
    service: "echo.v1.Echo", name: "Unary", kind: .unary, access: .public, idempotent: true)
}

extension RPCClient {
  /// The answer's text.
  func ask(
    _ text: String = "", _ method: MethodDescriptor = EchoMethods.unary, _ options: CallOptions = .default
  ) async throws -> String {
    let answer: Msg = try await call(method, Msg(value: text), options)
    return answer.value
  }

  /// How the call fails; OK when it does not.
  func refusal(
    _ method: MethodDescriptor = EchoMethods.unary, _ options: CallOptions = .default
  ) async throws -> TTRPC.Status {
    do {
      _ = try await ask("", method, options)
      return TTRPC.Status(.ok, "")
    } catch let status as TTRPC.Status {
      return status
    }
  }
}
