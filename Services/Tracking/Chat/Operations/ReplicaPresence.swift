import AsyncSignal
import ChatDomain
import Environment
import Identifiers
import Synchronization

/// Who has which conversation open at this replica ([TR-31]).
///
/// One task stores what has changed, in batches: so the last change of a pair of user and conversation is the one that is stored, however many streams
/// open and close.
package final class ReplicaPresence: Sendable {
  /// A user in a conversation.
  package struct Place: Sendable, Hashable {
    package let conversation: ConversationID
    package let user: UserID
  }

  /// What is to be stored of some places.
  package struct Changes: Sendable {
    package let online: [Place]
    package let offline: [Place]
    /// Until when each of ``offline`` was reachable for certain.
    package let heardAt: [Instant]
  }

  private typealias Waiter = CheckedContinuation<Result<Void, any Error>, Never>

  private struct State {
    /// How many streams of a user have a conversation open.
    var streams: [Place: Int] = [:]
    /// What is to be stored or removed.
    var changed: Set<Place> = []
    /// Until when users of closed streams were reachable for certain.
    var heard: [Place: Instant] = [:]
    /// Whether a user with a stream was found offline, so that the lease is to be renewed before anything is stored.
    var isLeaseInDoubt = false
    var waiters: [Place: [Waiter]] = [:]
    var hasEnded = false
  }

  private let clock: any WallClock
  private let state = Mutex(State())
  /// Sent when something is to be stored.
  package let signal = AsyncSignal()

  package init(clock: any WallClock) { self.clock = clock }

  /// Adds a stream of a user that has a conversation open; when this returns every replica takes the user as online there.
  ///
  /// - Throws: ``ChatFailure/stopping``; ``Postgres/PostgresError``.
  package func open(_ conversation: ConversationID, _ user: UserID) async throws {
    let answer = await change(Place(conversation: conversation, user: user)) { state, place in
      state.streams[place, default: 0] += 1
      return true
    }
    if case .failure = answer { close(conversation, user, heardAt: clock.now) }
    _ = try answer.get()
  }

  /// Has every replica take a user as online again who seems offline although a stream here has the conversation open: the lease ended, as over a
  /// failover of the database.
  ///
  /// - Returns: false if no stream here has it open.
  /// - Throws: as ``open(_:_:)``.
  package func restore(_ conversation: ConversationID, _ user: UserID) async throws -> Bool {
    try await change(Place(conversation: conversation, user: user)) { state, place in
      guard state.streams[place] != nil else { return false }
      state.isLeaseInDoubt = true
      return true
    }.get()
  }

  /// Makes a change, and waits until it is stored.
  ///
  /// - Parameter apply: returns whether there is anything to store.
  private func change(_ place: Place, _ apply: (inout State, Place) -> Bool) async -> Result<Bool, any Error> {
    var isChange = false
    let answer: Result<Void, any Error> = await withCheckedContinuation { waiter in
      let known = state.withLock { state -> Result<Void, any Error>? in
        if state.hasEnded { return .failure(ChatFailure.stopping) }
        isChange = apply(&state, place)
        guard isChange else { return .success(()) }
        // Stored again even where another stream has it open, whose row may have gone since.
        state.changed.insert(place)
        state.waiters[place, default: []].append(waiter)
        return nil
      }
      if let known { waiter.resume(returning: known) } else { signal.send() }
    }
    return answer.map { isChange }
  }

  /// Removes a stream of a user that had a conversation open.
  ///
  /// - Parameter heardAt: until when the user was reachable for certain ([TR-35]).
  package func close(_ conversation: ConversationID, _ user: UserID, heardAt: Instant) {
    let place = Place(conversation: conversation, user: user)
    state.withLock { state in
      guard let count = state.streams[place] else { return }
      state.heard[place] = max(state.heard[place] ?? heardAt, heardAt)
      state.streams[place] = count > 1 ? count - 1 : nil
      if count == 1 { state.changed.insert(place) }
    }
    signal.send()
  }

  // MARK: What is to be stored

  /// Removes some places that changed.
  package func takeChanged(_ most: Int) -> [Place] {
    state.withLock { state in
      let places = Array(state.changed.prefix(most))
      state.changed.subtract(places)
      return places
    }
  }

  /// What is to be stored of some places at this moment.
  package func changes(of places: [Place], at now: Instant) -> Changes {
    state.withLock { state in
      let offline = places.filter { state.streams[$0] == nil }
      return Changes(
        online: places.filter { state.streams[$0] != nil }, offline: offline,
        heardAt: offline.map { state.heard[$0] ?? now })
    }
  }

  /// Answers who waits for what is stored now. Who opened a conversation while those that were closed were removed waits for the next changes.
  package func noteStored(_ changes: Changes) {
    state.withLock { state in
      for place in changes.offline where state.streams[place] == nil { state.heard[place] = nil }
    }
    answer(changes.online, .success(()))
  }

  /// Has what could not be stored be stored later; who waits for it is told why.
  package func giveBack(_ places: [Place], _ error: any Error) {
    state.withLock { $0.changed.formUnion(places) }
    answer(places, .failure(error))
    signal.send()
  }

  private func answer(_ places: [Place], _ result: Result<Void, any Error>) {
    let waiters = state.withLock { state in places.flatMap { state.waiters.removeValue(forKey: $0) ?? [] } }
    for waiter in waiters { waiter.resume(returning: result) }
  }

  /// Has everything be stored again, of which nothing is: the replica has just begun, or its lease ended because it was stopped or the database was away.
  package func changeAll() {
    state.withLock { $0.changed.formUnion($0.streams.keys) }
    signal.send()
  }

  /// Whether the lease is to be renewed before anything is stored.
  package var isLeaseInDoubt: Bool {
    get { state.withLock { $0.isLeaseInDoubt } }
    set { state.withLock { $0.isLeaseInDoubt = newValue } }
  }

  /// Refuses what is opened from now on, and who waits.
  package func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return state.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.resume(returning: .failure(ChatFailure.stopping)) }
  }
}
