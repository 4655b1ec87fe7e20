import GatewayHTTP
import GatewayProtocols
import GatewayTranscoder
import HTTPTypes
import HeavyWork
import NIOCore
import TTRPC
import TTRPCClient

/// One call of a client: its request becomes messages for the service that owns the method, and its answers an answer.
///
/// `@unchecked Sendable`: everything is touched on the event loop of the connection only. The HTTP layer calls there, and the
/// call's tasks prefer that loop's executor, to which they return after each wait.
final class CallResponder: Responder, @unchecked Sendable {
  private let gateway: Gateway
  private let exchange: Exchange
  private let route: Route
  private var call: WebCall
  private let began = NIODeadline.now()
  private var task: Task<Void, Never>?
  /// Ends a call that the gateway answers itself; the others' deadline is the RPC client's.
  private var deadline: Scheduled<Void>?
  private var isOver = false
  /// Messages that the service has not got yet, and their bytes.
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  private var isRequestEnded = false
  private var reader: UnsafeContinuation<Void, Never>?
  private var writer: UnsafeContinuation<Void, Never>?

  private enum Waiting {
    case protobuf([UInt8])
    /// It is translated by another thread when its turn comes.
    case json([UInt8])
  }

  /// A longer message takes milliseconds to translate, which an event loop has not.
  private static let maxBytesOnLoop = 64 << 10

  /// Beyond this the client is not read, until the service has taken what waits.
  private static let maxWaitingBytes = 256 << 10

  init(_ gateway: Gateway, _ exchange: Exchange, _ route: Route, _ call: WebCall, _ messages: [[UInt8]]) {
    (self.gateway, self.exchange, self.route, self.call) = (gateway, exchange, route, call)
    gateway.metrics.running.increment()
    exchange.isLong = route.shape.clientStreams
    attempt { () throws(Status) in try take(messages) }
    if route.shape.clientStreams { begin { await $0.stream() } }
  }

  // MARK: From the client

  func receive(_ bytes: ByteBuffer) {
    attempt { () throws(Status) in try take(try call.receive(bytes.readableBytesView)) }
    if waitingBytes > Self.maxWaitingBytes, route.shape.clientStreams { exchange.isPaused = true }
  }

  func receiveEnd() {
    attempt { () throws(Status) in try take(try call.receiveEnd()) }
    isRequestEnded = true
    wakeReader()
    guard !isOver, !route.shape.clientStreams else { return }
    if route.shape.serverStreams { begin { await $0.stream() } } else { begin { await $0.unary() } }
  }

  func leave() {
    guard !isOver else { return }
    finish(.cancelled)
    task?.cancel()
    wakeReader()
    becameWritable()
  }

  func becameWritable() {
    let waiting = writer
    writer = nil
    waiting?.resume()
  }

  private func attempt(_ act: () throws(Status) -> Void) {
    guard !isOver else { return }
    do throws(Status) { try act() } catch {
      end(error)
      task?.cancel()
      wakeReader()
    }
  }

  private func take(_ messages: [[UInt8]]) throws(Status) {
    for message in messages {
      waitingBytes += message.count
      if call.codec == .json, message.count > Self.maxBytesOnLoop {
        waiting.append(.json(message))
      } else {
        waiting.append(.protobuf(try protobuf(message)))
      }
    }
    wakeReader()
  }

  private func wakeReader() {
    let waiting = reader
    reader = nil
    waiting?.resume()
  }

  private func begin(_ work: @escaping @Sendable (CallResponder) async -> Void) {
    guard !isOver else { return }
    task = Task(executorPreference: exchange.executor) { await work(self) }
    if case .service = route.owner { return }
    deadline = exchange.executor.loop.scheduleTask(in: TimeAmount(timeout)) { self.expire() }
  }

  private func expire() {
    attempt { () throws(Status) in throw Status(.deadlineExceeded, "The time of the call is over") }
  }

  // MARK: The service

  private func unary() async {
    do {
      guard let request = try await onlyRequest() else { throw Status(.internal, "The call has no message") }
      let answer =
        switch route.owner {
        case .service(let name): try await client(name).callSerialized(route.descriptor, request, options)
        case .health: try await health(request)
        case .reflection: throw Status(.internal, "The method is a stream")
        }
      let message = try await translated(answer)
      write(call.send(message))
      end(nil)
    } catch {
      end(Self.status(of: error))
    }
  }

  private func stream() async {
    do {
      switch route.owner {
      case .service(let name): try await stream(through: try client(name))
      case .health: try await watchHealth()
      case .reflection:
        open()
        while let request = try await nextRequest() { try await send(gateway.reflection.answer(request)) }
      }
      end(nil)
    } catch {
      end(Self.status(of: error))
    }
  }

  private func stream(through client: RPCClient) async throws {
    var first: [UInt8]?
    if !route.shape.clientStreams { first = try await onlyRequest() }
    try await client.streamSerialized(route.descriptor, first, options) { requests, answers in
      open()
      async let pumped: Void = pump(requests)
      defer {
        // The service ended the call: nothing that the client sends is of use any more.
        isRequestEnded = true
        waiting = []
        wakeReader()
      }
      for try await answer in answers { try await send(answer) }
      isRequestEnded = true
      wakeReader()
      await pumped
    }
  }

  /// Passes the client's messages on, until they end.
  private func pump(_ requests: RequestWriter<[UInt8]>) async {
    guard route.shape.clientStreams else { return }
    while true {
      let request: [UInt8]?
      do { request = try await nextRequest() } catch {
        end(Self.status(of: error))
        task?.cancel()
        return
      }
      guard let request else { break }
      // How the call failed the answers say.
      do throws(Status) { try await requests.send(request) } catch { return }
    }
    requests.finish()
  }

  /// The message of a client that sends one; `nil` without it.
  private func onlyRequest() async throws -> [UInt8]? {
    let only = waiting.first
    waiting = []
    return if let only { try await protobuf(only) } else { nil }
  }

  private func nextRequest() async throws -> [UInt8]? {
    while waiting.isEmpty {
      if isRequestEnded || isOver { return nil }
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in reader = continuation }
    }
    let next = waiting.removeFirst()
    switch next {
    case .protobuf(let message), .json(let message): waitingBytes = max(0, waitingBytes - message.count)
    }
    if exchange.isPaused, waitingBytes <= Self.maxWaitingBytes / 2 { exchange.isPaused = false }
    return try await protobuf(next)
  }

  private func open() {
    guard route.shape.serverStreams else { return }
    write(call.open())
  }

  /// Sends a message of the answer, and returns when the client takes more.
  private func send(_ answer: [UInt8]) async throws {
    let message = try await translated(answer)
    write(call.send(message))
    while !isOver, !exchange.isWritable {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in writer = continuation }
    }
    if isOver { throw CancellationError() }
  }

  private func client(_ service: String) throws(Status) -> RPCClient {
    guard let client = gateway.client(of: service, for: exchange) else {
      throw Status(.unimplemented, "The service \(service) is not part of this installation")
    }
    return client
  }

  /// The call's deadline, always, and what of the request's fields goes on to the service.
  private var options: CallOptions {
    var metadata = Metadata()
    for name in Self.forwarded {
      for value in exchange.request.headerFields[values: name] { metadata.append(name.canonicalName, value) }
    }
    metadata.append(HTTPField.Name.forwardedFor.canonicalName, exchange.address)
    return CallOptions(timeout: timeout, metadata: metadata)
  }

  private var timeout: Duration {
    let times = gateway.times
    let isStream = route.descriptor.kind != .unary
    return isStream
      ? min(call.timeout ?? times.stream, times.stream) : min(call.timeout ?? times.call, times.maxCall)
  }

  /// The client's own `x-forwarded-for` is not among them: anybody may write anything there.
  private static let forwarded: [HTTPField.Name] = [.authorization, .requestID, .traceParent, .traceState]

  private static func status(of error: any Error) -> Status {
    switch error {
    case let status as Status: status
    case is CancellationError: Status(.cancelled, "The call was cancelled")
    case let convertible as any StatusConvertible: convertible.status
    default: Status(.internal, "The call failed")
    }
  }

  // MARK: Health

  private static let serving: [UInt8] = [0x08, 1]
  private static let notServing: [UInt8] = [0x08, 2]
  private static let unknownService: [UInt8] = [0x08, 3]

  /// Answers `HealthCheckRequest`: for a service its own answer, for the whole whether this gateway takes calls.
  private func health(_ request: [UInt8]) async throws -> [UInt8] {
    var service = ""
    if request.first == 0x0A, request.count > 1, request.count == 2 + Int(request[1]) {
      service = String(decoding: request[2...], as: UTF8.self)
    }
    guard gateway.isServing else { return Self.notServing }
    if service.isEmpty || gateway.routes.services.contains(service) && gateway.routes.owners[service] == nil {
      return Self.serving
    }
    guard let owner = gateway.routes.owners[service] else {
      throw Status(.notFound, "There is no service \(service.prefix(200))")
    }
    do {
      return try await client(owner).callSerialized(route.healthCheck, request, options)
    } catch let status as Status where status.code == .unavailable || status.code == .deadlineExceeded {
      return Self.notServing
    }
  }

  /// Answers at once and after every change, which is looked for once a second.
  private func watchHealth() async throws {
    open()
    let request = try await onlyRequest() ?? []
    var told: [UInt8] = []
    while !isOver {
      let now: [UInt8]
      do {
        now = try await health(request)
      } catch let status as Status where status.code == .notFound {
        now = Self.unknownService
      }
      if now != told { try await send(now) }
      told = now
      // A service does not tell the gateway of changes.
      try await Task.sleep(for: .seconds(1))
    }
  }

  // MARK: Messages

  private func protobuf(_ waiting: Waiting) async throws -> [UInt8] {
    switch waiting {
    case .protobuf(let message): return message
    case .json(let message):
      let (routes, route) = (gateway.routes, route)
      return try await HeavyWork.shared.run(for: exchange.address) { try Self.protobuf(message, routes, route) }
    }
  }

  private func protobuf(_ message: [UInt8]) throws(Status) -> [UInt8] {
    guard call.codec == .json else { return message }
    return try Self.protobuf(message, gateway.routes, route)
  }

  private static func protobuf(_ message: [UInt8], _ routes: Routes, _ route: Route) throws(Status) -> [UInt8] {
    guard let input = route.input else { throw Status(.unimplemented, "The method has no JSON") }
    do throws(TranscodingError) {
      return try message.withUnsafeBufferPointer { bytes throws(TranscodingError) in
        try routes.contract.protobuf(fromJSON: bytes, input)
      }
    } catch {
      throw status(of: error)
    }
  }

  private static func status(of error: TranscodingError) -> Status {
    guard !error.field.isEmpty else { return Status(.invalidArgument, reason: "MALFORMED_MESSAGE", error.description) }
    return .invalidArgument([.init(field: error.field, description: error.description)])
  }

  /// A message of the answer as the client gets it.
  private func translated(_ message: [UInt8]) async throws -> [UInt8] {
    guard call.codec == .json else { return message }
    let (routes, route) = (gateway.routes, route)
    guard message.count > Self.maxBytesOnLoop else { return try Self.json(message, routes, route) }
    return try await HeavyWork.shared.run(for: exchange.address) { try Self.json(message, routes, route) }
  }

  private static func json(_ message: [UInt8], _ routes: Routes, _ route: Route) throws(Status) -> [UInt8] {
    guard let output = route.output else { throw Status(.unimplemented, "The method has no JSON") }
    do throws(TranscodingError) {
      return try message.withUnsafeBufferPointer { bytes throws(TranscodingError) in
        try routes.contract.json(fromProtobuf: bytes, output)
      }
    } catch {
      throw Status(.internal, "The service's answer has no JSON")
    }
  }

  // MARK: The answer

  private func write(_ output: Output) {
    guard !isOver else { return }
    exchange.write(output)
  }

  private func end(_ status: Status?) {
    guard !isOver else { return }
    exchange.write(call.end(status))
    finish(status?.code ?? .ok)
  }

  private func finish(_ code: Code) {
    guard !isOver else { return }
    isOver = true
    deadline?.cancel()
    gateway.metrics.running.decrement()
    gateway.metrics.ended(
      route.descriptor, call.dialect, code, afterNanoseconds: (NIODeadline.now() - began).nanoseconds)
  }
}

extension Route {
  /// The method of every service that answers for its health.
  fileprivate var healthCheck: MethodDescriptor {
    MethodDescriptor(service: Routes.health, name: "Check", kind: .unary, access: .public, idempotent: true)
  }
}
