import GatewayHTTP
import GatewayProtocols
import GatewayTranscoder
import HTTPTypes
import NIOCore
import TTRPC
import TTRPCClient
import WorkerPool

/// One call of a client: its request becomes messages for the service that owns the method, and its answers an answer.
///
/// `@unchecked Sendable`: everything is touched on the event loop of the connection only. The HTTP layer calls there, and the
/// call's tasks prefer that loop's executor, to which they return after each wait.
final class CallResponder: Responder, @unchecked Sendable {
  private let gateway: Gateway
  private let exchange: Exchange
  private let route: Route
  private var call: WebCall
  /// Whom the call is by, where a cookie says it.
  private let session: SessionCaller?
  private var sessionToken: String?
  /// Made at the first message, before which a WebSocket has its metadata.
  private lazy var messages: CallMessages = {
    let isStrict = Preferences.areStrict(call.metadata ?? [:]) || Preferences.areStrict(exchange.request.headerFields)
    return CallMessages(
      contract: gateway.routes.contract, codec: call.codec, compression: call.compression, input: route.input,
      output: route.output, unknown: isStrict ? .refused : .discarded)
  }()
  private let began = NIODeadline.now()
  /// When the request of a call with one message was complete, or a stream began: the call's time counts from then.
  private var started = NIODeadline.now()
  private var span: RequestSpan?
  private var task: Task<Void, Never>?
  /// Ends a call that the gateway answers itself, or one of whose messages it converts on the pool; the others' deadline is the RPC client's.
  private var deadline: Scheduled<Void>?
  private var isOver = false
  private let requests: RequestQueue
  private var isServiceDone = false
  private var writer: UnsafeContinuation<Void, Never>?

  /// Beyond this the client is not read, until the service has taken what waits.
  private static let maxWaitingBytes = 256 << 10

  init(_ gateway: Gateway, _ exchange: Exchange, _ route: Route, _ call: WebCall, _ messages: [EncodedMessage]) {
    (self.gateway, self.exchange, self.route, self.call) = (gateway, exchange, route, call)
    requests = RequestQueue(on: exchange.executor.loop)
    session = gateway.sessionCaller(exchange, route)
    gateway.metrics.running.increment()
    exchange.isLong = route.shape.clientStreams
    // The first message of a WebSocket is the metadata.
    if exchange.isSocket { exchange.maxMessageBytes = max(call.maxMessageBytes, WebCall.maxMetadataBytes) }
    attempt { () throws(Status) in try take(messages) }
    beginStream()
  }

  /// Begins a call whose client goes on while it is answered.
  private func beginStream() {
    guard route.shape.clientStreams, call.isReady, task == nil else { return }
    begin { await $0.stream() }
  }

  // MARK: From the client

  func receive(_ bytes: ByteBuffer) {
    attempt { () throws(Status) in try take(try call.receive(bytes.readableBytesView)) }
    beginStream()
    if !isOver, requests.bytes > Self.maxWaitingBytes, route.shape.clientStreams { exchange.isPaused = true }
  }

  func receiveEnd() {
    attempt { () throws(Status) in try take(try call.receiveEnd()) }
    requests.end()
    guard !isOver, !route.shape.clientStreams else { return }
    if route.shape.serverStreams { begin { await $0.stream() } } else { begin { await $0.unary() } }
  }

  func leave() {
    guard !isOver else { return }
    finish(.cancelled)
    task?.cancel()
    becameWritable()
  }

  func becameWritable() {
    let waiting = writer
    writer = nil
    waiting?.resume()
  }

  private func attempt(_ act: () throws(Status) -> Void) {
    guard !isOver, !isServiceDone else { return }
    do throws(Status) { try act() } catch { breakOff(error) }
  }

  private func breakOff(_ status: Status) {
    end(status)
    task?.cancel()
  }

  private func take(_ messages: [EncodedMessage]) throws(Status) {
    for message in messages {
      if let unchanged = self.messages.unchanged(message) {
        requests.append(.protobuf(unchanged))
      } else if !message.isCompressed, let turn = BoundedTurn(bytes: message.bytes.count),
        let converted = try self.messages.forService(message, in: turn)
      {
        requests.append(.protobuf(converted))
      } else {
        requests.append(.written(message))
      }
    }
  }

  private func begin(_ work: @escaping @Sendable (CallResponder) async -> Void) {
    guard !isOver else { return }
    started = .now()
    span = gateway.spans.call(route.descriptor, call.dialect, exchange, call.metadata)
    task = Task(executorPreference: exchange.executor) {
      guard let span = self.span else { return await work(self) }
      await span.run { await work(self) }
    }
    if case .service = route.owner { return }
    scheduleDeadline()
  }

  private func scheduleDeadline() {
    deadline = exchange.executor.loop.scheduleTask(deadline: started + TimeAmount(timeout)) { self.expire() }
  }

  private func expire() {
    attempt { () throws(Status) in throw Status(.deadlineExceeded, "The time of the call is over") }
  }

  // MARK: The service

  private func unary() async {
    do {
      try await identify()
      let request = try await onlyRequest()
      let answer =
        switch route.owner {
        case .service(let name): try await client(name).callSerialized(route.descriptor, request, options)
        case .health: try await health(request) { try await self.ask($0, request, self.options) }
        case .reflection: throw Status(.internal, "The method is a stream")
        }
      write(call.send(try await encoded(answer)))
      end(nil)
    } catch {
      end(Self.status(of: error))
    }
  }

  private func stream() async {
    do {
      try await identify()
      let first = route.shape.clientStreams ? nil : try await onlyRequest()
      switch route.owner {
      case .service(let name): try await stream(first, through: try client(name))
      case .health: try await watchHealth(first ?? [])
      case .reflection:
        open()
        while let request = try await nextRequest() { try await send(gateway.reflection.answer(request)) }
      }
      end(nil)
    } catch {
      end(Self.status(of: error))
    }
  }

  private func stream(_ first: [UInt8]?, through client: RPCClient) async throws {
    try await client.streamSerialized(route.descriptor, first, options) { writer, answers in
      open()
      // Cancelled when the answers have ended: nothing that the client sends is of use then.
      async let _: Void = pump(writer)
      defer {
        isServiceDone = true
        requests.close()
      }
      for try await answer in answers { try await send(answer) }
    }
  }

  /// Passes the client's messages on, until they end.
  private func pump(_ writer: RequestWriter<[UInt8]>) async {
    guard route.shape.clientStreams else { return }
    do {
      while let request = try await nextRequest() {
        // How the call failed the answers say.
        do throws(Status) { try await writer.send(request) } catch { return }
      }
    } catch {
      // How a call that has ended did so is told elsewhere.
      if !isServiceDone, !Task.isCancelled { breakOff(Self.status(of: error)) }
      return
    }
    // The service must not take what came of a call that was broken off for the whole.
    if isOver { return }
    writer.finish()
  }

  /// The message of a call that has one.
  private func onlyRequest() async throws -> [UInt8] {
    guard let request = try await nextRequest() else { throw Status(.internal, "The call has no message") }
    return request
  }

  private func nextRequest() async throws -> [UInt8]? {
    guard let next = await requests.next() else { return nil }
    if exchange.isPaused, requests.bytes <= Self.maxWaitingBytes / 2 { exchange.isPaused = false }
    return try await protobuf(next)
  }

  private func open() {
    guard route.shape.serverStreams else { return }
    write(call.open())
  }

  /// Sends a message of the answer, and returns when the client takes more.
  private func send(_ answer: [UInt8]) async throws {
    write(call.send(try await encoded(answer)))
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

  /// Finds the token of a session, and has the answer set its cookie where that is a new one. The token of a WebSocket's own
  /// metadata counts more.
  ///
  /// - Throws: a status where the cookie does not count, or too many calls came with the token.
  private func identify() async throws {
    var token = call.metadata?[.authorization]
    if token == nil, let session {
      sessionToken = try await session.token(for: exchange)
      token = sessionToken
    }
    if let token = token ?? exchange.request.headerFields[.authorization] { try gateway.admit(token: token) }
  }

  /// The call's deadline, always, and what of the request's fields goes on to the service.
  private var options: CallOptions {
    var metadata = Metadata()
    for name in span == nil ? Self.forwarded + Self.trace : Self.forwarded {
      let said = call.metadata?[values: name] ?? []
      for value in said.isEmpty ? exchange.request.headerFields[values: name] : said {
        metadata.append(name.canonicalName, value)
      }
    }
    if let sessionToken { metadata.append(HTTPField.Name.authorization.canonicalName, "Bearer \(sessionToken)") }
    metadata.append(HTTPField.Name.forwardedFor.canonicalName, exchange.address)
    let passed = Duration.nanoseconds((NIODeadline.now() - started).nanoseconds)
    return CallOptions(timeout: max(timeout - passed, .zero), metadata: metadata)
  }

  private var timeout: Duration {
    let times = gateway.times
    let isStream = route.descriptor.kind != .unary
    return isStream
      ? min(call.timeout ?? times.stream, times.stream) : min(call.timeout ?? times.call, times.maxCall)
  }

  /// The client's own `x-forwarded-for` is not among them: anybody may write anything there.
  private static let forwarded: [HTTPField.Name] = [.authorization, .requestID]

  /// Where calls are recorded, they are below the gateway's own span instead.
  private static let trace: [HTTPField.Name] = [.traceParent, .traceState]

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
  ///
  /// - Parameter ask: asks the service that owns the one that is named.
  private func health(
    _ request: [UInt8], _ ask: (_ owner: String) async throws -> [UInt8]
  ) async throws -> [UInt8] {
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
      return try await ask(owner)
    } catch let status as Status where status.code == .unavailable || status.code == .deadlineExceeded {
      return Self.notServing
    }
  }

  private func ask(_ owner: String, _ request: [UInt8], _ options: CallOptions) async throws -> [UInt8] {
    try await client(owner).callSerialized(route.healthCheck, request, options)
  }

  /// Answers at once and after every change, which is looked for once a second, by all such streams together.
  private func watchHealth(_ request: [UInt8]) async throws {
    open()
    var told: [UInt8] = []
    while !isOver {
      let now: [UInt8]
      do {
        now = try await health(request) { owner in
          try await gateway.healthAnswers.answer(to: request) {
            try await self.ask(owner, request, CallOptions(timeout: HealthAnswers.timeout))
          }
        }
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

  private func protobuf(_ message: RequestQueue.Message) async throws -> [UInt8] {
    let written: EncodedMessage
    switch message {
    case .protobuf(let bytes): return bytes
    case .written(let message): written = message
    }
    if let turn = BoundedTurn(bytes: written.bytes.count) {
      // Many that are short as they come may be long inside: others have their turn between them.
      await Task.yield()
      if let bytes = try messages.forService(written, in: turn) { return bytes }
    }
    return try await converted({ [messages] in try messages.forService(written, in: $0) }) {
      Status(
        .resourceExhausted, reason: "OVERLOADED", "Too many long messages wait to be read at this moment",
        // A stream cannot be repeated whose first messages had their effect.
        retryAfter: route.shape.clientStreams ? nil : .seconds(1))
    }
  }

  private func encoded(_ message: [UInt8]) async throws -> EncodedMessage {
    if let unchanged = messages.unchanged(message) { return unchanged }
    if let turn = BoundedTurn(bytes: message.count), let encoded = try messages.forClient(message, in: turn) {
      return encoded
    }
    return try await converted({ [messages] in try messages.forClient(message, in: $0) }) {
      Status(
        .resourceExhausted, reason: "UNSENT_RESPONSE_LIMIT",
        "Too many long responses wait for this network; what the call did stays. Ask for less at a time")
    }
  }

  /// Converts a long message, within the time of the call.
  private func converted<Message: Sendable>(
    _ convert: @escaping @Sendable (borrowing BoundedTurn) throws -> Message?, or refusal: () -> Status
  ) async throws -> Message {
    if isOver { throw CancellationError() }
    if deadline == nil { scheduleDeadline() }
    do {
      guard let message = try await gateway.longMessages.run(for: exchange.address, convert) else {
        throw Status(.internal, "A long message was not converted")
      }
      return message
    } catch is LongMessagePool.Overloaded {
      let refusal = refusal()
      gateway.metrics.refused(refusal.errorInfo?.reason ?? "")
      throw refusal
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
    requests.close()
    exchange.isPaused = false
    deadline?.cancel()
    span?.end(code)
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
