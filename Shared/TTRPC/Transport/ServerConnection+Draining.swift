import LoopExecutor
import NIOCore

/// How a connection ends when its server stops. On the event loop.
extension ServerConnection {
  /// Refuses new calls from now on and closes once the running ones have ended.
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    if streams.isEmpty { leave() }
  }

  /// Ends the streams that may never end by themselves, so that their clients open them anew elsewhere.
  func endStreams() {
    for call in streams.calls where call.method.descriptor.kind.serverStreams { call.stop(.stopped) }
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
    executor.loop.scheduleTask(in: Self.farewell) { self.close() }
  }

  /// How long a peer may take to close after it was told that no more comes.
  private static let farewell = TimeAmount.seconds(1)
}
