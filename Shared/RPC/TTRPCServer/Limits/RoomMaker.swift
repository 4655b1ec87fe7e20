import Dispatch
import LoopExecutor
import NIOCore
import Synchronization
import TTRPC

/// Takes places back when few are left: the longest streams of the clients with most are ended. A share of what is free
/// keeps room for a newcomer, but however small shares become, those that came before would keep theirs.
///
/// From any thread.
final class RoomMaker: Sendable {
  /// The least time between two looks: a stream that is told to end leaves its place soon, not at once.
  private static let interval = DispatchTimeInterval.milliseconds(100)

  private let isLooking = Atomic(false)
  private let look = Mutex<(@Sendable () -> Void)?>(nil)
  /// What a look costs grows with the clients, so it is no event loop's work.
  private let queue = DispatchQueue(label: "making-room", qos: .userInitiated)

  /// Sets what is done when there is too little room; it runs on a queue of its own.
  func whenScarce(_ look: @escaping @Sendable () -> Void) { self.look.withLock { $0 = look } }

  /// Makes room soon.
  func make() {
    guard !isLooking.load(ordering: .relaxed), !isLooking.exchange(true, ordering: .relaxed) else { return }
    queue.async {
      self.look.withLock { $0 }?()
      self.queue.asyncAfter(deadline: .now() + Self.interval) { self.isLooking.store(false, ordering: .relaxed) }
    }
  }
}

/// Streams that may be ended to make room, gathered from all event loops.
final class StreamsToEnd: Sendable {
  private struct State {
    var calls: [(call: ServerCall, began: NIODeadline, client: ObjectIdentifier)] = []
    var loopsToCome: Int
  }

  private let excess: [ObjectIdentifier: Int]
  private let state: Mutex<State>

  /// - Parameter excess: how many streams of each client are to end.
  init(_ excess: [ObjectIdentifier: Int], of loops: Int) {
    self.excess = excess
    state = Mutex(State(loopsToCome: loops))
  }

  /// Adds the streams of one loop.
  ///
  /// - Returns: once all loops have added theirs, those to end, the longest of each client, by loop; else `nil`.
  func add(
    _ calls: [(call: ServerCall, began: NIODeadline, client: ObjectIdentifier)]
  ) -> [ObjectIdentifier: [ServerCall]]? {
    let all = state.withLock { state -> [(call: ServerCall, began: NIODeadline, client: ObjectIdentifier)]? in
      state.calls += calls
      state.loopsToCome -= 1
      return state.loopsToCome == 0 ? state.calls : nil
    }
    guard let all else { return nil }
    var left = excess
    var chosen: [ObjectIdentifier: [ServerCall]] = [:]
    // Those that came in one read began at the same moment.
    let longestFirst = all.sorted { ($0.began, $0.call.streamID) < ($1.began, $1.call.streamID) }
    for (call, _, client) in longestFirst where left[client, default: 0] > 0 {
      left[client, default: 0] -= 1
      chosen[ObjectIdentifier(call.connection.executor), default: []].append(call)
    }
    return chosen
  }

  /// Whether streams of the client are to end.
  func includes(_ client: ObjectIdentifier) -> Bool { excess[client] != nil }
}

extension RPCServer {
  /// Streams that are ended in one turn of a loop.
  private static let endsInTurn = 64

  /// Ends streams of the clients with most, so that as many places are free as should be.
  func makeRoom() {
    let excess = load.principals.excess(freeing: load.places.lacking)
    guard !excess.isEmpty else { return }
    let streams = StreamsToEnd(excess, of: loops.count)
    for loop in loops {
      loop.executor.loop.execute {
        let calls = loop.connections.values.flatMap { $0.streamsToEnd(streams) }
        guard let chosen = streams.add(calls) else { return }
        for loop in self.loops {
          Self.end(chosen[ObjectIdentifier(loop.executor), default: []][...], on: loop.executor)
        }
      }
    }
  }

  private static func end(_ calls: ArraySlice<ServerCall>, on executor: LoopExecutor) {
    guard !calls.isEmpty else { return }
    executor.loop.execute {
      for call in calls.prefix(endsInTurn) { call.makeRoom() }
      let rest = calls.dropFirst(endsInTurn)
      if !rest.isEmpty { executor.afterPoll { end(rest, on: executor) } }
    }
  }
}
