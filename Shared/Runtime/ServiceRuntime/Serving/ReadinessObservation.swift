import AsyncSignal
import GRPCHealth
import ServiceLifecycle
import Synchronization

/// Observes readiness for all callers that watch it or ask for it, however many there are, and only while there are
/// any.
final class ReadinessObservation: Service {
  typealias Serving = HealthCheckResponse.ServingStatus

  private let readiness: Readiness
  private let interval: Duration
  private let clock = ContinuousClock()
  private let state = Mutex(State())
  private let calls = AsyncSignal()

  private struct State {
    var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var lastID: UInt64 = 0
    /// The last result; `nil` while readiness is not observed.
    var current: Serving?
    var seenAt: ContinuousClock.Instant?
    /// When a caller that does not watch asked last.
    var askedAt: ContinuousClock.Instant?
    var hasEnded = false
  }

  /// - Parameter interval: between two observations, so that watchers get a change no later.
  init(_ readiness: Readiness, every interval: Duration = .seconds(1)) {
    self.readiness = readiness
    self.interval = interval
  }

  /// How long observation goes on for callers that ask repeatedly: longer than most probes wait in between.
  private static let memory = Duration.seconds(30)

  /// Between two observations while the service is not ready, so that watchers are notified soon.
  private static let intervalUntilReady = Duration.milliseconds(500)

  /// The time that an observation may take beyond its interval; when it takes longer, something hangs.
  private static let timeout = Duration.seconds(2)

  /// The last result, or a new one where there is none. Cheap, however often it is called.
  func status() async -> Serving {
    let now = clock.now
    let current = state.withLock { state -> Serving? in
      state.askedAt = now
      guard let seenAt = state.seenAt, now - seenAt > interval + Self.timeout else { return state.current }
      return state.current.map { _ in .notServing }
    }
    if let current { return current }
    for await seen in statuses() { return seen }
    return .notServing
  }

  /// The results from now on: the first as soon as it is known, then changes, of which a slow watcher gets only the
  /// last. Ends when the service stops.
  func statuses() -> ReadinessStatuses {
    let (changes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> UInt64? in
      guard !state.hasEnded else { return nil }
      state.lastID += 1
      state.watchers[state.lastID] = watcher
      return state.lastID
    }
    if let id {
      watcher.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) } }
      watcher.yield()
      calls.send()
    } else {
      watcher.finish()
    }
    return ReadinessStatuses(changes: changes) { [weak self] in self?.state.withLock { $0.current } }
  }

  /// Observes while there are watchers, until the service stops.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in self.calls { await self.observe() }
    }
    let watchers = state.withLock { state in
      state.hasEnded = true
      state.current = nil
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
  }

  private func observe() async {
    while isWatched {
      let isReady = await readiness.report().isReady
      see(isReady ? .serving : .notServing)
      // It throws only when the service ends.
      do { try await Task.sleep(for: isReady ? interval : min(interval, Self.intervalUntilReady)) } catch { return }
    }
  }

  private var isWatched: Bool {
    let now = clock.now
    return state.withLock { state in
      let isWatched = !state.watchers.isEmpty || state.askedAt.map { now - $0 < Self.memory } ?? false
      if !isWatched { state.current = nil }
      return isWatched
    }
  }

  /// Notifies the watchers that there is a new result, which they read themselves, so that the order of notifications
  /// does not matter. Outside the lock: resuming a task may wait for a concurrent cancellation of it, which in turn
  /// waits for this lock.
  private func see(_ status: Serving) {
    let now = clock.now
    let watchers = state.withLock { state -> [AsyncStream<Void>.Continuation] in
      state.seenAt = now
      guard state.current != status else { return [] }
      state.current = status
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield() }
  }
}

/// The results for one watcher, each different from the one before.
struct ReadinessStatuses: AsyncSequence, Sendable {
  typealias Serving = HealthCheckResponse.ServingStatus
  typealias Failure = Never

  fileprivate let changes: AsyncStream<Void>
  fileprivate let current: @Sendable () -> Serving?

  func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), current: current) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var changes: AsyncStream<Void>.Iterator
    fileprivate let current: @Sendable () -> Serving?
    private var last: Serving?

    fileprivate init(changes: AsyncStream<Void>.Iterator, current: @escaping @Sendable () -> Serving?) {
      (self.changes, self.current) = (changes, current)
    }

    mutating func next() async -> Serving? {
      while await changes.next() != nil {
        guard let status = current(), status != last else { continue }
        last = status
        return status
      }
      return nil
    }
  }
}
