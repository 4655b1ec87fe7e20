import LoopExecutor
import NIOCore

/// How a connection ends when its server stops. On the event loop.
extension ServerConnection {
  /// Refuses new calls from now on and tells the client so; closes when the running calls have ended and the client had `time` to go away
  /// by itself. Until then whatever it sends is answered.
  func drain(noticeFor time: TimeAmount) {
    guard !isDraining else { return }
    isDraining = true
    for call in streams.calls { _ = call.getsOn() }
    noticeTime = time
    notify()
  }

  /// Tells the client that the server stops, once it can be told. Its time begins when the connection is active, however late that is.
  func notify() {
    guard let channel = context?.channel, channel.isActive else { return }
    if isSecured {
      output.sendBypassingBudget { frames, arena in
        frames.appendResponse(.draining, on: GoAway.streamID, in: arena)
      }
    }
    drainEnd = .now() + max(noticeTime * Self.noticeFactor, limits.lingerTime)
    allowForNotice()
  }

  /// A client that goes on calling is answered for so many times as long as it may take to act on the notice, however it takes the answers.
  private static let noticeFactor = 5

  /// Gives the client its time from now on: since the notice went out, or since it has taken the answers that lay before it.
  func allowForNotice() {
    noticeEnd?.cancel()
    let end = min(NIODeadline.now() + noticeTime, drainEnd)
    noticeUntil = end
    noticeEnd = executor.loop.scheduleTask(deadline: end) { self.noticeEnded(end) }
  }

  private func noticeEnded(_ end: NIODeadline) {
    // One that was just cancelled may run all the same.
    guard end == noticeUntil else { return }
    noticeEnd = nil
    leaveIfDone()
  }

  /// Whether nothing is under way: no call, and no bytes that wait to be read, while the client does not take its answers or until the
  /// connection's next turn, which a client that never pauses always has to wait for.
  private var isDone: Bool {
    guard isDraining, noticeEnd == nil, streams.isEmpty, !isLeaving else { return false }
    return !wantsRead && held == nil || !output.isBackedUp && .now() >= drainEnd
  }

  /// Leaves a connection with nothing under way, once nothing more has come of it for some turns of the loop, or there is no more noticeFactor
  /// with what comes.
  func leaveIfDone(after turns: Int = quietTurns) {
    guard isDone else { return }
    guard turns > 0 else { return leave() }
    let received = reader.received
    executor.afterPoll {
      let isOver = self.reader.received == received || .now() >= self.drainEnd
      self.leaveIfDone(after: isOver ? turns - 1 : Self.quietTurns)
    }
  }

  /// The first may be over before the loop has looked at its sockets: when it begins in the midst of a long write.
  private static let quietTurns = 2

  /// Ends the streams that may never end by themselves, so that their clients open them anew elsewhere: all that go both ways, and those that
  /// have rested since the last look.
  func endStreams() {
    for call in streams.calls where call.method.descriptor.kind.serverStreams && !call.getsOn() { call.stop(.stopped) }
  }

  /// Ends every call, and closes when the peer has taken the answers or had its time for that.
  func abort() {
    isDraining = true
    for call in streams.calls { call.stop(.stopped) }
    leave()
    closeSoon()
  }

  /// Says that no more answers come, once the last has left, and closes when the peer has done so or had its time for that: to close at
  /// once would drop what the peer has not taken, and what it sent meanwhile would be answered by a reset that drops it too.
  func leave() {
    guard !isLeaving, let context else { return }
    isLeaving = true
    output.write()
    // TLS says goodbye by itself, and waits for the peer's.
    guard isPlain else { return closeWhenTaken() }
    let said = context.eventLoop.makePromise(of: Void.self)
    said.futureResult.assumeIsolated().whenComplete { _ in self.closeSoon() }
    context.close(mode: .output, promise: said)
  }

  private func closeWhenTaken() {
    guard let context, output.hasSent else { return close() }
    let last = context.eventLoop.makePromise(of: Void.self)
    last.futureResult.assumeIsolated().whenComplete { _ in self.close() }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: last)
  }

  private func closeSoon() {
    executor.loop.scheduleTask(in: limits.lingerTime) { self.close() }
  }
}
