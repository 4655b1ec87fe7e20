import Identifiers
import Synchronization

/// How many files may be read at a time. An upload that is too slow gives its seat up to one that has none; one whose reader was killed
/// where memory was short is read alone when it comes again.
final class Seats: Sendable {
  /// The place of one file, from its first bytes until what was read is stored.
  final class Seat: Sendable {
    fileprivate let user: UserID
    private let arrival = Mutex(Arrival())
    private let loss = AsyncStream.makeStream(of: Void.self)
    private let turn = AsyncStream.makeStream(of: Void.self)

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

    /// Throws once the seat is given to another upload, as this one is too slow.
    func watchLoss() async throws {
      for await _ in loss.stream { throw FileImportRefusal.tooSlow }
    }

    /// Ends when no other file is read any more, for an upload that is to be read alone.
    func alone() async throws {
      for await _ in turn.stream { return }
      throw CancellationError()
    }

    /// Notes that the file begins to be read.
    func take(at now: Instant) { arrival.withLock { $0.since = now } }

    fileprivate func comeAlone() { turn.continuation.yield() }

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
    /// Until when the next upload of a user is read alone, because the reader of the last one was killed.
    var killed: [UserID: Instant] = [:]
    /// The upload that is read alone, or waits for that.
    var alone: Seat?
  }

  /// What became of the wish for a seat.
  enum Answer: Sendable {
    case taken
    /// It is read once it is alone (``Seat/alone()``); no other is begun before.
    case waits
    case refused
  }

  /// How long an upload may be repeated alone.
  private static let repetition: Duration = .seconds(3_600)
  /// Users whose readers were killed; there are few.
  private static let maxKilled = 1_000

  /// Seats of one user: whoever sends slowly must not keep all others out.
  private let maxOfUser: Int
  private let state: Mutex<State>

  init(_ count: Int) {
    maxOfUser = max(1, count / 2)
    state = Mutex(State(count: count))
  }

  /// Takes a seat, if need be that of the slowest upload.
  func take(_ seat: Seat, at now: Instant) -> Answer {
    let (answer, loser): (Answer, Seat?) = state.withLock { state in
      if let until = state.killed[seat.user], until > now, state.alone == nil {
        state.killed[seat.user] = nil
        state.alone = seat
        guard state.taken.isEmpty else { return (.waits, nil) }
        seat.take(at: now)
        state.taken = [seat]
        return (.taken, nil)
      }
      if let alone = state.alone, !state.taken.contains(where: { $0 === alone }) { return (.refused, nil) }
      guard state.taken.count(where: { $0.user == seat.user }) < maxOfUser else { return (.refused, nil) }
      var loser: Seat?
      if state.taken.count >= state.count || state.alone != nil {
        let rates = state.taken.compactMap { taken in taken.rate(at: now).map { (seat: taken, rate: $0) } }
        guard let slowest = rates.min(by: { $0.rate < $1.rate }), slowest.rate < Self.minRate else {
          return (.refused, nil)
        }
        state.taken.removeAll { $0 === slowest.seat }
        if state.alone === slowest.seat { state.alone = nil }
        loser = slowest.seat
      }
      seat.take(at: now)
      state.taken.append(seat)
      return (.taken, loser)
    }
    loser?.lose()
    return answer
  }

  /// Notes that the reader of an upload was killed where memory was short: the user's next one is read alone.
  ///
  /// - Returns: false for one that was read alone already; then it is the file that takes too much.
  func noteKilled(_ seat: Seat, at now: Instant) -> Bool {
    state.withLock { state in
      guard state.alone !== seat else { return false }
      state.killed = state.killed.filter { $0.value > now }
      if state.killed.count < Self.maxKilled { state.killed[seat.user] = now + Self.repetition }
      return true
    }
  }

  /// Gives a seat back, or the wait for one; nothing for one that was not taken, or was lost.
  func leave(_ seat: Seat) {
    let next: Seat? = state.withLock { state in
      state.taken.removeAll { $0 === seat }
      if state.alone === seat { state.alone = nil }
      guard let alone = state.alone, state.taken.isEmpty else { return nil }
      state.taken = [alone]
      return alone
    }
    next?.comeAlone()
  }
}
