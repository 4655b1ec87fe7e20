import NIOCore
import TTRPCFrames

/// The life of a server's connection, from its beginning to its end. A state machine without I/O.
///
/// Its owner reports what happens and does what is returned:
/// ```
/// connecting ──> handshake (TLS only) ──> open ──> draining ──> closing ──> closed
/// ```
/// A connection may be drained, closed or lost in every state.
struct ConnectionLife {
  /// How far a connection has got that receives requests, or will.
  enum Stage: Comparable {
    /// The channel is not active yet.
    case connecting
    /// The channel is active, and its client has not proved itself.
    case handshake
    case open
  }

  /// Whether a client that was told that the server stops still has time to act on it.
  enum Notice: Equatable {
    /// It begins when the connection is active.
    case notBegun
    case running(until: NIODeadline)
    case over
  }

  struct Drain: Equatable {
    var stage: Stage
    var notice = Notice.notBegun
    /// How long the client may take to act on the notice.
    let noticeTime: TimeAmount
    /// How long a client that goes on calling is answered, from the notice.
    let callingTime: TimeAmount
    /// When the connection of such a client is closed.
    var end = NIODeadline.distantFuture
  }

  enum State: Equatable {
    case living(Stage)
    /// New calls are refused, running ones end.
    case draining(Drain)
    /// The sending side has ended; the peer has some time to end its own.
    case closing
    case closed
  }

  enum Action: Equatable {
    /// Tell the client that the server stops.
    case sendNotice
    /// Report ``noticeElapsed(_:)`` at this moment; an earlier such wait is void.
    case wait(until: NIODeadline)
  }

  private(set) var state = State.living(.connecting)
  /// Whether a TLS handshake comes before the first frame.
  let hasHandshake: Bool

  init(hasHandshake: Bool) { self.hasHandshake = hasHandshake }

  // MARK: What it is

  /// Whether its client has proved itself, or need not.
  var isSecured: Bool {
    switch state {
    case .living(let stage): stage == .open || !hasHandshake
    case .draining(let drain): drain.stage == .open || !hasHandshake
    case .closing, .closed: true
    }
  }

  /// Whether new calls are refused.
  var refusesCalls: Bool {
    if case .living = state { false } else { true }
  }

  /// Whether running calls are waited for.
  var isDraining: Bool {
    if case .draining = state { true } else { false }
  }

  /// Whether received bytes are dropped.
  var isLeaving: Bool { state == .closing || state == .closed }

  /// Whether a connection that drains has nothing more to do.
  ///
  /// - Parameters:
  ///   - hasCalls: whether a call runs.
  ///   - hasInput: whether received bytes wait. They may while the client does not read its responses, or until the
  ///     connection's next turn, which a client that never pauses always has to wait for.
  ///   - isBackedUp: whether the client leaves responses unread.
  func isDone(hasCalls: Bool, hasInput: Bool, isBackedUp: Bool, at now: NIODeadline) -> Bool {
    guard case .draining(let drain) = state, drain.notice == .over, !hasCalls else { return false }
    return !hasInput || !isBackedUp && now >= drain.end
  }

  /// Whether the time of a client that goes on calling while the connection drains is over.
  func isCallingOver(at now: NIODeadline) -> Bool {
    guard case .draining(let drain) = state else { return refusesCalls }
    return now >= drain.end
  }

  // MARK: What happens

  /// The channel is active.
  mutating func becameActive(at now: NIODeadline) -> [Action] { reach(hasHandshake ? .handshake : .open, now) }

  /// The client has proved itself.
  mutating func handshakeCompleted(at now: NIODeadline) -> [Action] { reach(.open, now) }

  private mutating func reach(_ stage: Stage, _ now: NIODeadline) -> [Action] {
    switch state {
    case .living(let earlier) where earlier < stage:
      state = .living(stage)
      return []
    case .draining(var drain) where drain.stage < stage:
      drain.stage = stage
      return notify(drain, now)
    case .living, .draining, .closing, .closed: return []
    }
  }

  /// The server stops.
  ///
  /// - Parameters:
  ///   - noticeTime: how long the client may take to disconnect by itself.
  ///   - callingTime: how long it is answered if it goes on calling instead.
  mutating func drain(noticeTime: TimeAmount, callingTime: TimeAmount, at now: NIODeadline) -> [Action] {
    guard case .living(let stage) = state else { return [] }
    return notify(Drain(stage: stage, noticeTime: noticeTime, callingTime: callingTime), now)
  }

  /// The client's time begins when the connection is active, however late that is; where it has to prove itself first,
  /// again when it has.
  private mutating func notify(_ drain: Drain, _ now: NIODeadline) -> [Action] {
    var drain = drain
    guard drain.stage != .connecting else {
      state = .draining(drain)
      return []
    }
    drain.end = now + drain.callingTime
    state = .draining(drain)
    return (drain.stage == .open ? [.sendNotice] : []) + allow(now)
  }

  /// The client has read the responses that were sent before the notice: its time begins only now.
  mutating func caughtUp(at now: NIODeadline) -> [Action] { allow(now) }

  private mutating func allow(_ now: NIODeadline) -> [Action] {
    guard case .draining(var drain) = state, drain.stage != .connecting else { return [] }
    let end = min(now + drain.noticeTime, drain.end)
    drain.notice = .running(until: end)
    state = .draining(drain)
    return [.wait(until: end)]
  }

  /// The moment of a wait has come.
  mutating func noticeElapsed(_ end: NIODeadline) {
    guard case .draining(var drain) = state, drain.notice == .running(until: end) else { return }
    drain.notice = .over
    state = .draining(drain)
  }

  /// The sending side is to be ended; returns whether it was not before.
  mutating func leave() -> Bool {
    guard !isLeaving else { return false }
    state = .closing
    return true
  }

  /// The connection is lost, or was closed.
  mutating func disconnected() { state = .closed }
}
