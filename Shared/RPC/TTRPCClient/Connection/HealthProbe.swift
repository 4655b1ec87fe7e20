import NIOCore
import ProtobufC
import TTRPC
import TTRPCFrames

/// Checks repeatedly whether the server of one connection serves, and closes the connection when it is dead. Confined
/// to the connection's loop.
///
/// `@unchecked Sendable`: everything mutable is touched only on the loop of `connection`.
final class HealthProbe: @unchecked Sendable {
  private let connection: ClientConnection
  private let check: RPCClient.HealthCheck
  private let onVerdict: (Bool) -> Void
  private var next: Scheduled<Void>?
  private var isStopped = false

  /// - Parameter onVerdict: called after every check with whether the server serves.
  init(_ connection: ClientConnection, _ check: RPCClient.HealthCheck, _ onVerdict: @escaping (Bool) -> Void) {
    self.connection = connection
    self.check = check
    self.onVerdict = onVerdict
  }

  /// Checks now, and then at every interval.
  func start() {
    let now = NIODeadline.now()
    let readsBefore = connection.readCount
    let timeout = TimeAmount.nanoseconds(check.timeout.nanoseconds)
    let call = HealthCheckCall(check.service, deadline: now + timeout) { outcome in
      // Twice as late as it may be: this process was suspended, which says nothing about the server.
      if outcome == .noAnswer, NIODeadline.now() > now + timeout + timeout, !self.isStopped { return self.start() }
      self.take(outcome, readsBefore: readsBefore)
    }
    connection.send(call, now)
  }

  /// Checks at every interval from now.
  func startLater() {
    guard !isStopped else { return }
    next = connection.executor.loop.scheduleTask(in: .nanoseconds(check.interval.nanoseconds)) { self.start() }
  }

  func stop() {
    isStopped = true
    next?.cancel()
  }

  /// Whether a connection is dead. Any sign of life counts: the calls of a server that is only busy go on.
  static func isDead(_ outcome: HealthCheckCall.Outcome, readsBefore: Int, now reads: Int) -> Bool {
    outcome == .noAnswer && reads == readsBefore
  }

  private func take(_ outcome: HealthCheckCall.Outcome, readsBefore: Int) {
    guard !isStopped else { return }
    if !connection.isPaused, Self.isDead(outcome, readsBefore: readsBefore, now: connection.readCount) {
      return connection.drop(.unreachable("The server did not answer within \(check.timeout); the connection is dead"))
    }
    // While reading is paused the response is unread, and nothing new is known about the server.
    if !connection.isPaused { onVerdict(outcome == .serving) }
    startLater()
  }
}

/// One `grpc.health.v1.Health/Check`. Its messages are small enough to be encoded by hand, and the generated types
/// belong to a higher layer.
///
/// `@unchecked Sendable`: as the superclass.
final class HealthCheckCall: ClientCall, @unchecked Sendable {
  enum Outcome {
    case serving
    case notServing
    case noAnswer
  }

  private static let method = MethodDescriptor(
    service: "grpc.health.v1.Health", name: "Check", kind: .unary, access: .public, idempotent: true)
  /// `HealthCheckResponse{status: SERVING}`.
  private static let serving: [UInt8] = [0x08, 0x01]

  private let request: [UInt8]
  private let onEnd: (Outcome) -> Void

  /// - Parameter service: a name of fewer than 128 bytes; empty for the server as a whole.
  init(_ service: String, deadline: NIODeadline, _ onEnd: @escaping (Outcome) -> Void) {
    let name = Array(service.utf8)
    precondition(name.count < 0x80, "a service's name is short")
    request = name.isEmpty ? [] : [0x0A, UInt8(name.count)] + name
    self.onEnd = onEnd
    super.init(Self.method, .default, deadline: deadline)
  }

  override var canStartAgain: Bool { false }

  override func payload(in arena: Arena) -> OutgoingMessage? { .bytes(request) }

  override func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard end() else { return }
    onEnd(payload.elementsEqual(Self.serving) ? .serving : .notServing)
  }

  override func fail(_ error: any Error) {
    guard end() else { return }
    switch (error as? Status)?.code {
    case .unimplemented: onEnd(.serving)
    case .deadlineExceeded: onEnd(.noAnswer)
    default: onEnd(.notServing)
    }
  }
}
