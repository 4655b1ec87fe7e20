import CNATS
import Synchronization

/// Callbacks for connections to NATS, called on libnats' threads; messages on one of them, in the order of their
/// arrival.
final class NATSEvents: Sendable {
  let heard: @Sendable (_ payload: [UInt8], _ subject: String) -> Void
  /// Called when messages of a subject were dropped; `nil` stands for any subject.
  let dropped: @Sendable (_ subject: String?) -> Void
  /// Called when the connection with this ``NATSConnection/id`` has ended.
  let closed: @Sendable (_ id: UInt) -> Void

  private init(
    _ heard: @escaping @Sendable ([UInt8], String) -> Void, _ dropped: @escaping @Sendable (String?) -> Void,
    _ closed: @escaping @Sendable (UInt) -> Void
  ) {
    (self.heard, self.dropped, self.closed) = (heard, dropped, closed)
  }

  /// Makes events that are never released, a few words for each bus: the library does not say when it makes its last
  /// call.
  static func immortal(
    heard: @escaping @Sendable ([UInt8], String) -> Void, dropped: @escaping @Sendable (String?) -> Void,
    closed: @escaping @Sendable (UInt) -> Void
  ) -> NATSEvents {
    Unmanaged.passRetained(NATSEvents(heard, dropped, closed)).takeUnretainedValue()
  }

  fileprivate var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  fileprivate static func of(_ pointer: UnsafeMutableRawPointer?) -> NATSEvents? {
    pointer.map { Unmanaged<NATSEvents>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Why NATS was not reached, or did not do what was requested.
struct NATSError: Error, CustomStringConvertible {
  let description: String

  /// - Parameter doing: completes the sentence "… while".
  init(_ status: natsStatus, _ doing: String) {
    let text = natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
    description = "\(text) while \(doing)"
  }
}

/// One connection to a NATS server, which does not reconnect by itself. Every call blocks, so not on a loop.
///
/// The library could reconnect, but then the messages it buffered meanwhile would be sent late, and it would be unknown
/// when its subscriptions are active again. So the owner of a lost connection makes another and subscribes to
/// everything again.
///
/// `@unchecked Sendable`: `raw` and `events` are set once, in `init`. libnats guards what `raw` points to by a lock of
/// its own: any thread may call it. The table of subscriptions has a lock, and only `deinit`, when no call is possible
/// any more, destroys the connection.
final class NATSConnection: @unchecked Sendable {
  /// Milliseconds that a server may take for an answer.
  private static let timeout: Int64 = 3_000
  /// Milliseconds between pings of a silent server, two of which may be unanswered.
  private static let pingInterval: Int64 = 10_000
  /// What the library buffers of one subscription while the hub is busy.
  private static let pending: (messages: Int32, bytes: Int32) = (65_536, 16 << 20)

  private let raw: OpaquePointer
  private let subscriptions = Mutex<[String: Subscription]>([:])
  private let events: NATSEvents

  /// `@unchecked Sendable`: one constant, a pointer that libnats lets any thread use. The caller that removes it from
  /// the table destroys it, so it is destroyed once.
  private struct Subscription: @unchecked Sendable {
    let raw: OpaquePointer
  }

  /// Connects.
  init(_ server: NATSServer, name: String, events: NATSEvents) throws(NATSError) {
    self.events = events
    let options = try Self.options(server, name, events.pointer)
    defer { natsOptions_Destroy(options) }
    var raw: OpaquePointer?
    try Self.check(natsConnection_Connect(&raw, options), "connecting to \(server)")
    guard let raw else { throw NATSError(NATS_ERR, "connecting to \(server)") }
    self.raw = raw
  }

  deinit {
    for subscription in subscriptions.withLock({ Array($0.values) }) { natsSubscription_Destroy(subscription.raw) }
    natsConnection_Destroy(raw)
  }

  /// Distinguishes it from other connections at the same time.
  var id: UInt { UInt(bitPattern: raw) }

  private static func options(
    _ server: NATSServer, _ name: String, _ events: UnsafeMutableRawPointer
  ) throws(NATSError) -> OpaquePointer {
    var made: OpaquePointer?
    try check(natsOptions_Create(&made), "preparing")
    guard let options = made else { throw NATSError(NATS_NO_MEMORY, "preparing") }
    do throws(NATSError) {
      try check(natsOptions_SetURL(options, server.url), "reading the server's URL")
      try check(natsOptions_SetName(options, name), "preparing")
      try check(natsOptions_SetAllowReconnect(options, false), "preparing")
      try check(natsOptions_SetTimeout(options, timeout), "preparing")
      try check(natsOptions_SetPingInterval(options, pingInterval), "preparing")
      try check(natsOptions_SetMaxPingsOut(options, 2), "preparing")
      // One thread delivers the messages of all subscriptions, in the order of their arrival.
      try check(natsOptions_UseGlobalMessageDelivery(options, true), "preparing")
      try check(natsOptions_SetClosedCB(options, closed, events), "preparing")
      try check(natsOptions_SetErrorHandler(options, failed, events), "preparing")
      if server.isSecure {
        try check(natsOptions_SetSecure(options, true), "preparing TLS")
        try check(natsOptions_SetExpectedHostname(options, server.host), "preparing TLS")
        if let authorities = server.authorities {
          try check(natsOptions_LoadCATrustedCertificates(options, authorities), "reading \(authorities)")
        }
      }
      return options
    } catch {
      natsOptions_Destroy(options)
      throw error
    }
  }

  private static func check(_ status: natsStatus, _ doing: @autoclosure () -> String) throws(NATSError) {
    guard status == NATS_OK else { throw NATSError(status, doing()) }
  }

  /// Returns when the server has processed everything that was sent before.
  func flush() throws(NATSError) {
    try Self.check(natsConnection_FlushTimeout(raw, Self.timeout), "waiting for the server")
  }

  /// Sends `payload`, no later than the next ``flush()``.
  func publish(_ payload: [UInt8], to subject: String) throws(NATSError) {
    try Self.check(natsConnection_Publish(raw, subject, payload, Int32(payload.count)), "publishing")
  }

  /// Subscribes to `subject`, effective no later than the next ``flush()``.
  func subscribe(to subject: String) throws(NATSError) {
    try subscriptions.withLock { (subscriptions) throws(NATSError) in
      guard subscriptions[subject] == nil else { return }
      var made: OpaquePointer?
      try Self.check(natsConnection_Subscribe(&made, raw, subject, heard, events.pointer), "subscribing")
      guard let subscription = made else { return }
      natsSubscription_SetPendingLimits(subscription, Self.pending.messages, Self.pending.bytes)
      subscriptions[subject] = Subscription(raw: subscription)
    }
  }

  /// Ends the subscription to `subject`.
  func unsubscribe(from subject: String) {
    guard let subscription = subscriptions.withLock({ $0.removeValue(forKey: subject) }) else { return }
    natsSubscription_Destroy(subscription.raw)
  }

  /// Ends the connection; `closed` is called, unless it was before.
  func close() { natsConnection_Close(raw) }
}

private func heard(
  _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ message: OpaquePointer?,
  _ closure: UnsafeMutableRawPointer?
) {
  defer { natsMsg_Destroy(message) }
  guard let events = NATSEvents.of(closure), let subject = natsMsg_GetSubject(message) else { return }
  let bytes = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
  events.heard([UInt8](bytes), String(cString: subject))
}

private func closed(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
  NATSEvents.of(closure)?.closed(UInt(bitPattern: connection))
}

private func failed(
  _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ status: natsStatus,
  _ closure: UnsafeMutableRawPointer?
) {
  guard status == NATS_SLOW_CONSUMER else { return }
  NATSEvents.of(closure)?.dropped(natsSubscription_GetSubject(subscription).map { String(cString: $0) })
}
