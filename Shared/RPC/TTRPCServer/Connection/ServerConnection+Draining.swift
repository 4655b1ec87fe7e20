import LoopExecutor
import NIOCore
import TTRPCFrames

/// How a connection ends when its server stops. On the event loop.
extension ServerConnection {
  /// Refuses new calls from now on and notifies the client; closes when the running calls have ended and the client had
  /// `time` to disconnect by itself. Until then every request is answered.
  func drain(noticeFor time: TimeAmount) {
    guard !life.refusesCalls else { return }
    for call in streams.calls { _ = call.getsOn() }
    perform(
      life.drain(
        noticeTime: time, callingTime: max(time * Self.noticeFactor, limits.lingerTime), at: .now()))
  }

  /// A client that goes on calling is answered for at most this many times the time it has to act on the notice,
  /// however slowly it reads.
  private static let noticeFactor = 5

  func perform(_ actions: [ConnectionLife.Action]) {
    for action in actions {
      switch action {
      case .sendNotice:
        output.sendBypassingBudget { frames, arena in
          frames.appendResponse(.draining, on: GoAway.streamID, in: arena)
        }
      case .wait(let end):
        noticeTimer?.cancel()
        noticeTimer = executor.loop.scheduleTask(deadline: end) {
          self.life.noticeElapsed(end)
          self.leaveIfDone()
        }
      }
    }
  }

  private var isDone: Bool {
    life.isDone(
      hasCalls: !streams.isEmpty, hasInput: pump.hasInput, isBackedUp: output.isBackedUp, at: .now())
  }

  /// Leaves a connection that is done, once nothing more has been received for some turns of the loop, or the time for
  /// further requests is over.
  func leaveIfDone(after turns: Int = quietTurns) {
    guard isDone else { return }
    guard turns > 0 else { return leave() }
    let received = reader.received
    executor.afterPoll {
      let isOver = self.reader.received == received || self.life.isCallingOver(at: .now())
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
    for call in streams.calls { call.stop(.stopped) }
    leave()
    closeSoon()
  }

  /// Ends the sending side once the last response is sent, and closes when the peer has closed too or its time for that
  /// is over: to close at once would drop what the peer has not read, and what it sent meanwhile would be answered by a
  /// reset that drops it too.
  func leave() {
    guard let context, life.leave() else { return }
    output.write()
    // TLS sends a close notification by itself, and waits for the peer's.
    guard !life.hasHandshake else { return closeWhenTaken() }
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
