import NIOCore
import TTRPCFrames

/// How long a peer has taken for one thing, and whether it makes progress.
struct Pace {
  /// Units that count as progress.
  private let step: Int
  private var thing: Int?
  private var progress = 0
  private var since = NIODeadline.distantPast

  init(step: Int) {
    self.step = step
  }

  /// Whether there was less than a step of progress for longer than `limit`.
  ///
  /// - Parameters:
  ///   - thing: what the peer is doing; a new value starts afresh, `nil` is nothing.
  ///   - progress: units so far, which never fall.
  mutating func isTooSlow(at thing: Int?, _ progress: Int, _ now: NIODeadline, limit: TimeAmount) -> Bool {
    guard let thing, thing == self.thing, progress - self.progress < step else {
      (self.thing, self.progress, since) = (thing, progress, now)
      return false
    }
    return now - since > limit
  }
}

/// Which of its time limits a connection has exceeded. A state machine without I/O.
struct ConnectionAge {
  /// The state of a connection at one moment.
  struct Sample {
    var isSecured = true
    var isPlain = false
    var hasCalls = false
    /// Bytes of responses that the peer has not read, and those that it has.
    var unsent = 0
    var taken = 0
    /// The number of the frame that has begun and not ended; `nil` between frames, and while the server itself does not
    /// read.
    var unfinishedFrame: Int?
    /// Bytes received.
    var received = 0
  }

  private let limits: RPCServer.Limits
  private let began: NIODeadline
  private var frame = Pace(step: minStep)
  private var answers = Pace(step: minStep)
  private var rest = Pace(step: 1)

  /// Less progress than this within a time limit counts as none: a byte now and then must not keep a connection open
  /// for ever.
  static let minStep = 65_536

  init(_ limits: RPCServer.Limits, began: NIODeadline) {
    self.limits = limits
    self.began = began
  }

  /// The limit that the connection exceeds at `now`, if any.
  mutating func limitMet(by sample: Sample, at now: NIODeadline) -> ServerLimit? {
    guard sample.isSecured else { return now - began > limits.handshakeTime ? .handshakeTime : nil }
    // With TLS, the handshake has shown that there is a client.
    if sample.isPlain, sample.received == 0, now - began > limits.firstByteTime { return .firstByteTime }
    let isSlowToTake = answers.isTooSlow(
      at: sample.unsent > 0 ? 0 : nil, sample.taken, now, limit: limits.writeTime)
    let isSlowToSend = frame.isTooSlow(at: sample.unfinishedFrame, sample.received, now, limit: limits.frameTime)
    let isIdle = rest.isTooSlow(at: sample.hasCalls ? nil : 0, sample.received, now, limit: limits.idleTime)
    return isSlowToTake ? .writeTime : isSlowToSend ? .frameTime : isIdle ? .idleTime : nil
  }
}
