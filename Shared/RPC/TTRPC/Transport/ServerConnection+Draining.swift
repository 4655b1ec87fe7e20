import LoopExecutor
import NIOCore

/// How a connection ends when its server stops. On the event loop.
extension ServerConnection {
  /// Refuses new calls from now on and notifies the client; closes when the running calls have ended and the client had
  /// `time` to disconnect by itself. Until then every request is answered.
  func drain(noticeFor time: TimeAmount) {
    guard !isDraining else { return }
    isDraining = true
    for call in streams.calls { _ = call.getsOn() }
    noticeTime = time
    notify()
  }

  /// Notifies the client that the server stops, once the connection is active. The client's time begins then, however
  /// late that is.
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

  /// A client that goes on calling is answered for at most this many times the time it has to act on the notice,
  /// however slowly it reads.
  private static let noticeFactor = 5

  /// Starts the client's time: when the notice was sent, or when the client has read the responses before it.
  func allowForNotice() {
    noticeEnd?.cancel()
    let end = min(NIODeadline.now() + noticeTime, drainEnd)
    noticeUntil = end
    noticeEnd = executor.loop.scheduleTask(deadline: end) { self.noticeEnded(end) }
  }

  private func noticeEnded(_ end: NIODeadline) {
    // A timer that was just cancelled may fire all the same.
    guard end == noticeUntil else { return }
    noticeEnd = nil
    leaveIfDone()
  }

  /// Whether the connection has no call and no bytes that wait to be read. Bytes may wait while the client does not
  /// read its responses, or until the connection's next turn, which a client that never pauses always has to wait for.
  private var isDone: Bool {
    guard isDraining, noticeEnd == nil, streams.isEmpty, !isLeaving else { return false }
    return !wantsRead && held == nil || !output.isBackedUp && .now() >= drainEnd
  }

  /// Leaves a connection that is done, once nothing more has been received for some turns of the loop, or the time for
  /// further requests is over.
  func leaveIfDone(after turns: Int = quietTurns) {
    guard isDone else { return }
    guard turns > 0 else { return leave() }
    let received = reader.received
    executor.afterPoll {
      let isOver = self.reader.received == received || .now() >= self.drainEnd
      self.leaveIfDone(after: isOver ? turns - 1 : Self.quietTurns)
    }
  }

  /// The first turn may be over before the loop has polled its sockets: when it begins in the midst of a long write.
  private static let quietTurns = 2

  /// Ends the streams that may have no end, so that their clients open them again elsewhere: all bidirectional ones,
  /// and those that have sent nothing since the last check.
  func endStreams() {
    for call in streams.calls where call.method.descriptor.kind.serverStreams && !call.getsOn() { call.stop(.stopped) }
  }

  /// Ends every call, and closes when the peer has read the responses or its time for that is over.
  func abort() {
    isDraining = true
    for call in streams.calls { call.stop(.stopped) }
    leave()
    closeSoon()
  }

  /// Ends the sending side once the last response is sent, and closes when the peer has closed too or its time for that
  /// is over: to close at once would drop what the peer has not read, and what it sent meanwhile would be answered by a
  /// reset that drops it too.
  func leave() {
    guard !isLeaving, let context else { return }
    isLeaving = true
    output.write()
    // TLS sends a close notification by itself, and waits for the peer's.
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
