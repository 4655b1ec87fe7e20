import Identifiers
import Synchronization

/// How many files may be read at a time. Whoever sends too slowly gives the seat up to somebody who has none.
final class Seats: Sendable {
  /// The place of one file that is read.
  final class Seat: Sendable {
    fileprivate let user: UserID
    fileprivate let since: Instant
    private let received = Mutex<(bytes: Int, isWhole: Bool)>((0, false))
    private let loss = AsyncStream.makeStream(of: Void.self)

    fileprivate init(_ user: UserID, since: Instant) { (self.user, self.since) = (user, since) }

    /// Notes bytes that have arrived.
    func note(_ count: Int) { received.withLock { $0.bytes += count } }

    /// Notes that all of the file has arrived: what takes time now is the service's own.
    func noteEnd() { received.withLock { $0.isWhole = true } }

    /// Ends when the seat is given to somebody else.
    func lost() async throws {
      for await _ in loss.stream { return }
      throw CancellationError()
    }

    fileprivate func lose() { loss.continuation.yield() }

    /// Bytes a second until now; `nil` for a file that has arrived, or has only just begun to.
    fileprivate func slowness(at now: Instant) -> Double? {
      let (bytes, isWhole) = received.withLock { $0 }
      let seconds = (now - since) / .seconds(1)
      return isWhole || seconds < Seats.leastSeconds ? nil : Double(bytes) / seconds
    }
  }

  /// Slower is too slow while others wait, in bytes a second: 64 KiB take longer than by a modem.
  private static let leastRate = 4_096.0
  /// How long a file may take to begin, in seconds.
  fileprivate static let leastSeconds = 15.0

  private struct State {
    let count: Int
    var taken: [Seat] = []
  }

  /// Seats of one user: whoever sends slowly must not keep all others out.
  private let mostOfUser: Int
  private let state: Mutex<State>

  init(_ count: Int) {
    mostOfUser = max(1, count / 2)
    state = Mutex(State(count: count))
  }

  /// A seat, if need be that of the slowest file; `nil` if there is none to be had.
  func take(_ user: UserID, at now: Instant) -> Seat? {
    state.withLock { state in
      guard state.taken.count(where: { $0.user == user }) < mostOfUser else { return nil }
      if state.taken.count == state.count {
        let slow = state.taken.compactMap { seat in seat.slowness(at: now).map { (seat, $0) } }
        guard let (seat, rate) = slow.min(by: { $0.1 < $1.1 }), rate < Self.leastRate else { return nil }
        state.taken.removeAll { $0 === seat }
        seat.lose()
      }
      let seat = Seat(user, since: now)
      state.taken.append(seat)
      return seat
    }
  }

  func leave(_ seat: Seat) { state.withLock { state in state.taken.removeAll { $0 === seat } } }
}
