import NIOCore

/// How long a peer has been at one thing, and whether it gets on with it.
struct Pace {
  /// Units that count as getting on.
  private let step: Int
  private var thing: Int?
  private var progress = 0
  private var since = NIODeadline.distantPast

  init(step: Int) {
    self.step = step
  }

  /// Says whether less than a step came of the same thing for longer than `limit`.
  ///
  /// - Parameters:
  ///   - thing: what the peer is at; a new value begins anew, `nil` is nothing.
  ///   - progress: units so far, ever rising.
  mutating func isTooSlow(at thing: Int?, _ progress: Int, _ now: NIODeadline, limit: TimeAmount) -> Bool {
    guard let thing, thing == self.thing, progress - self.progress < step else {
      (self.thing, self.progress, since) = (thing, progress, now)
      return false
    }
    return now - since > limit
  }
}

/// Which of its times a connection has overstepped. Pure: it is told the time and what there is to see.
struct ConnectionAge {
  /// A connection as it stands.
  struct Sample {
    var isSecured = true
    var isPlain = false
    var hasCalls = false
    /// Bytes of answers that the peer has not taken, and those that it has.
    var unsent = 0
    var taken = 0
    /// Which frame has begun and not ended; `nil` between frames, and while the server itself does not read.
    var unfinishedFrame: Int?
    /// Bytes that came in.
    var received = 0
  }

  private let limits: RPCServer.Limits
  private let began: NIODeadline
  private var frame = Pace(step: minStep)
  private var answers = Pace(step: minStep)
  private var rest = Pace(step: 1)

  /// Less than this in one of the times is no better than nothing: a byte now and then must not keep a connection for ever.
  static let minStep = 65_536

  init(_ limits: RPCServer.Limits, began: NIODeadline) {
    self.limits = limits
    self.began = began
  }

  /// The limit that the connection has met by `now`, if any.
  mutating func limitMet(by sample: Sample, at now: NIODeadline) -> ServerLimit? {
    guard sample.isSecured else { return now - began > limits.handshakeTime ? .handshakeTime : nil }
    // TLS has shown by its handshake that somebody is there.
    if sample.isPlain, sample.received == 0, now - began > limits.firstByteTime { return .firstByteTime }
    let isSlowToTake = answers.isTooSlow(
      at: sample.unsent > 0 ? 0 : nil, sample.taken, now, limit: limits.writeTime)
    let isSlowToSend = frame.isTooSlow(at: sample.unfinishedFrame, sample.received, now, limit: limits.frameTime)
    let isIdle = rest.isTooSlow(at: sample.hasCalls ? nil : 0, sample.received, now, limit: limits.idleTime)
    return isSlowToTake ? .writeTime : isSlowToSend ? .frameTime : isIdle ? .idleTime : nil
  }
}
