import Identifiers
import Synchronization

/// How many files may be read at a time. An upload that is too slow gives its seat up to one that has none.
final class Seats: Sendable {
  /// The place of one file, from its first bytes until what was read is stored.
  final class Seat: Sendable {
    fileprivate let user: UserID
    private let arrival = Mutex(Arrival())
    private let loss = AsyncStream.makeStream(of: Void.self)

    private struct Arrival {
      /// When the seat was taken; `nil` before.
      var since: Instant?
      var bytes = 0
      var isWhole = false
    }

    init(for user: UserID) { self.user = user }

    /// Notes bytes that have arrived.
    func note(_ count: Int) { arrival.withLock { $0.bytes += count } }

    /// Notes that all of the file has arrived: what takes time now is the service's own.
    func noteEnd() { arrival.withLock { $0.isWhole = true } }

    /// Ends when the seat is given to another upload.
    func lost() async throws {
      for await _ in loss.stream { return }
      throw CancellationError()
    }

    fileprivate func take(at now: Instant) { arrival.withLock { $0.since = now } }

    fileprivate func lose() { loss.continuation.yield() }

    /// Bytes a second until now; `nil` for a file that has arrived, or has only just begun to.
    fileprivate func rate(at now: Instant) -> Double? {
      let arrival = arrival.withLock { $0 }
      guard let since = arrival.since, !arrival.isWhole else { return nil }
      let seconds = (now - since) / .seconds(1)
      return seconds < Seats.minSeconds ? nil : Double(arrival.bytes) / seconds
    }
  }

  /// Slower is too slow while others wait, in bytes a second: a modem of 1998 sends as much.
  private static let minRate = 4_096.0
  /// How long a file may take to begin, in seconds.
  fileprivate static let minSeconds = 15.0

  private struct State {
    let count: Int
    var taken: [Seat] = []
  }

  /// Seats of one user: whoever sends slowly must not keep all others out.
  private let maxOfUser: Int
  private let state: Mutex<State>

  init(_ count: Int) {
    maxOfUser = max(1, count / 2)
    state = Mutex(State(count: count))
  }

  /// Takes a seat, if need be that of the slowest upload; false if there is none to be had.
  func take(_ seat: Seat, at now: Instant) -> Bool {
    let (isTaken, loser): (Bool, Seat?) = state.withLock { state in
      guard state.taken.count(where: { $0.user == seat.user }) < maxOfUser else { return (false, nil) }
      var loser: Seat?
      if state.taken.count >= state.count {
        let rates = state.taken.compactMap { taken in taken.rate(at: now).map { (seat: taken, rate: $0) } }
        guard let slowest = rates.min(by: { $0.rate < $1.rate }), slowest.rate < Self.minRate else {
          return (false, nil)
        }
        state.taken.removeAll { $0 === slowest.seat }
        loser = slowest.seat
      }
      seat.take(at: now)
      state.taken.append(seat)
      return (true, loser)
    }
    loser?.lose()
    return isTaken
  }

  /// Gives a seat back; nothing for one that was not taken, or was lost.
  func leave(_ seat: Seat) { state.withLock { state in state.taken.removeAll { $0 === seat } } }
}
