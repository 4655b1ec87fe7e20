import GRPCHealth
import ServiceLifecycle
import Synchronization

/// Looks at readiness on behalf of everybody who watches it, however many they are, and at no other time.
final class ReadinessObservation: Service {
  typealias Serving = HealthCheckResponse.ServingStatus

  private let readiness: Readiness
  private let interval: Duration
  private let state = Mutex(State())
  private let calls = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  private struct State {
    var watchers: [UInt64: AsyncStream<Serving>.Continuation] = [:]
    var lastID: UInt64 = 0
    /// What was seen last; `nil` while nobody looks.
    var current: Serving?
    var hasEnded = false
  }

  /// - Parameter interval: between two looks, so that watchers learn of a change no later.
  init(_ readiness: Readiness, every interval: Duration = .seconds(1)) {
    self.readiness = readiness
    self.interval = interval
  }

  /// What is seen from now on: the first as soon as it is known, then changes, of which a slow watcher gets the last only. Ends when
  /// the service stops.
  func statuses() -> AsyncStream<Serving> {
    let (stream, watcher) = AsyncStream.makeStream(of: Serving.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> UInt64? in
      guard !state.hasEnded else { return nil }
      state.lastID += 1
      state.watchers[state.lastID] = watcher
      if let current = state.current { watcher.yield(current) }
      return state.lastID
    }
    guard let id else {
      watcher.finish()
      return stream
    }
    watcher.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) } }
    calls.continuation.yield()
    return stream
  }

  /// Looks while somebody watches, until the service stops.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in self.calls.stream { await self.observe() }
    }
    let watchers = state.withLock { state in
      state.hasEnded = true
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
  }

  private func observe() async {
    while isWatched {
      see(await readiness.report().isReady ? .serving : .notServing)
      // Cut short only by the end of the service.
      do { try await Task.sleep(for: interval) } catch { return }
    }
  }

  private var isWatched: Bool {
    state.withLock { state in
      if state.watchers.isEmpty { state.current = nil }
      return !state.watchers.isEmpty
    }
  }

  private func see(_ status: Serving) {
    state.withLock { state in
      guard state.current != status else { return }
      state.current = status
      for watcher in state.watchers.values { watcher.yield(status) }
    }
  }
}
