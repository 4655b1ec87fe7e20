import AsyncSignal
import DequeModule
import Synchronization

/// A frame to be sent.
struct OutgoingFrame: Sendable, Hashable {
  /// The channel's name, or ``LiveOutbox/everybody``.
  let channel: String
  let frame: LiveFrame
}

/// Frames that wait to be sent, bounded: when there is no room the oldest is dropped, and its channel is owed a gap.
///
/// Gaps that are owed are sent before everything that waits, because they stand for older messages. They are kept by
/// channel, and when there are too many channels, as one gap for every subscriber of every process.
final class LiveOutbox: Sendable {
  /// A channel of the bus itself, which every process with a subscription listens to: a gap there is one of all
  /// channels. No channel can have its name.
  static let everybody = "tandem-live"

  private struct Waiting {
    let channel: LiveChannel
    let payload: [UInt8]
  }

  private struct State {
    var waiting = Deque<Waiting>()
    var bytes = 0
    var owed: Set<LiveChannel> = []
    var owesEverybody = false
    var lastNumber: UInt64 = 0
    var isClosed = false
  }

  /// The bounds of what waits.
  struct Limits: Sendable {
    var messages = LiveLimits.messagesToSend
    var bytes = LiveLimits.bytesToSend
    /// Channels that are owed a gap each.
    var owed = 1_024
    /// Frames sent together: enough to share a commit, few enough that those behind them do not wait for long.
    var framesAtOnce = 256
  }

  private let publisher: UInt64
  private let frameBytes: Int
  private let limits: Limits
  private let metrics: LiveMetrics
  private let state = Mutex(State())
  /// Sent when there are frames to send.
  let wakes = AsyncSignal()

  /// - Parameters:
  ///   - publisher: a number that no other bus has.
  ///   - frameBytes: the most bytes of a frame, header included.
  init(publisher: UInt64, frameBytes: Int, limits: Limits = Limits(), metrics: LiveMetrics) {
    self.publisher = publisher
    self.frameBytes = frameBytes
    self.limits = limits
    self.metrics = metrics
  }

  /// Queues `payload`, or a gap in its place.
  func append(_ payload: [UInt8], to channel: LiveChannel) {
    let dropped = state.withLock { state -> Int in
      guard !state.isClosed else { return 1 }
      guard payload.count <= LiveLimits.payloadBytes else {
        owe(channel, &state)
        return 1
      }
      state.waiting.append(Waiting(channel: channel, payload: payload))
      state.bytes += payload.count
      var dropped = 0
      while state.waiting.count > limits.messages || state.bytes > limits.bytes, let first = state.waiting.popFirst() {
        state.bytes -= first.payload.count
        owe(first.channel, &state)
        dropped += 1
      }
      return dropped
    }
    metrics.published.increment()
    if dropped > 0 { metrics.dropped.increment(by: dropped) }
    wakes.send()
  }

  private func owe(_ channel: LiveChannel, _ state: inout State) {
    if state.owesEverybody { return }
    state.owed.insert(channel)
    if state.owed.count > limits.owed {
      state.owed = []
      state.owesEverybody = true
    }
  }

  /// The next frames to send together; empty when none wait. They keep their numbers and have to be sent until the bus
  /// has them.
  func next() -> [OutgoingFrame] {
    state.withLock { state in
      var frames: [OutgoingFrame] = []
      func add(_ channel: String, _ frame: LiveFrame) {
        var frame = frame
        state.lastNumber += 1
        frame.number = state.lastNumber
        frames.append(OutgoingFrame(channel: channel, frame: frame))
      }
      let gap = LiveFrame(kind: .gap, publisher: publisher, number: 0)
      if state.owesEverybody { add(Self.everybody, gap) }
      for channel in state.owed { add(channel.name, gap) }
      (state.owed, state.owesEverybody) = ([], false)
      while frames.count < limits.framesAtOnce, let message = state.waiting.popFirst() {
        state.bytes -= message.payload.count
        for frame in parts(of: message.payload) { add(message.channel.name, frame) }
      }
      return frames
    }
  }

  private func parts(of payload: [UInt8]) -> [LiveFrame] {
    let room = frameBytes - LiveFrame.headerBytes
    let count = max(1, (payload.count + room - 1) / room)
    return (0..<count).map { part in
      LiveFrame(
        kind: .payload, publisher: publisher, number: 0, part: UInt16(part), parts: UInt16(count),
        body: payload[part * room..<min(payload.count, (part + 1) * room)])
    }
  }

  /// Accepts nothing more; ``wakes`` ends.
  func close() {
    state.withLock { $0.isClosed = true }
    wakes.finish()
  }
}

/// Sends frames over the network.
protocol LiveCarrier: Sendable {
  /// Returns when the bus has all of `frames`, in their order. When it throws, some may have been sent; all are sent
  /// again.
  func send(_ frames: [OutgoingFrame]) async throws
}

extension LiveOutbox {
  /// Sends what is appended, one batch after the other, until it is closed or the task is cancelled.
  ///
  /// Self-clocked: frames that are added while a batch is being sent go out together in the next.
  func send(by carrier: some LiveCarrier, _ report: (any Error) -> Void) async {
    for await _ in wakes {
      while true {
        let frames = next()
        if frames.isEmpty { break }
        await deliver(frames, by: carrier, report)
        if Task.isCancelled { return }
      }
    }
  }

  /// - Parameter report: called with the first of several failures in a row.
  private func deliver(_ frames: [OutgoingFrame], by carrier: some LiveCarrier, _ report: (any Error) -> Void) async {
    var pause = Self.shortestPause
    while !Task.isCancelled {
      do { return try await carrier.send(frames) } catch {
        if pause == Self.shortestPause { report(error) }
        // A service that stops does not wait until the bus is available again.
        if state.withLock({ $0.isClosed }) { return }
      }
      // It throws only the cancellation that ends the loop.
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, Self.maxPause)
    }
  }

  private static var shortestPause: Duration { .milliseconds(20) }
  private static var maxPause: Duration { .seconds(1) }
}
