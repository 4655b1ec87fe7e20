import AsyncSignal
import Live
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle
import Synchronization
import TTRPC
import TrackingDomain
import TrackingOperations
import TrackingStore

/// The changes of all groups that are watched at this replica, in order, for all of their viewers ([TR-4]).
///
/// A group has one feed, however many watch it: what the bus reports is used where it is the next change, else the log
/// is read, once for all viewers and for many groups at a time. The database is the source: a lost signal costs time and
/// nothing else, because a poll compares the numbers of all groups.
package final class GroupFeeds: Service {
  private struct Feed {
    /// The last change that the viewers have, `nil` until the first of them has read the group.
    var position: Int64?
    /// The last change that is known to exist.
    var highest: Int64 = 0
    var viewers: [ObjectIdentifier: WatchQueue] = [:]

    var isBehind: Bool { position.map { $0 < highest } ?? false }
  }

  private struct State {
    var feeds: [GroupID: Feed] = [:]
    /// The groups of which the log has to be read.
    var behind: Set<GroupID> = []
    var hasEnded = false
  }

  private let database: Database
  private let live: any LiveBus
  private let logger: Logger
  private let interval: Duration
  private let look = AsyncSignal()
  private let state = Mutex(State())

  /// Groups in one statement.
  private static let batch = 500
  /// Changes of one group in one statement.
  private static let changes: Int64 = 200

  /// - Parameter interval: the longest time after its commit in which a change is found that no signal reported.
  package init(database: Database, live: any LiveBus, every interval: Duration = .milliseconds(500), logger: Logger) {
    self.database = database
    self.live = live
    self.interval = interval
    self.logger = logger
  }

  // MARK: Viewers

  /// Adds what changes in a group to a queue, from the feed's position on.
  ///
  /// - Returns: whether what the viewer reads from now on includes the feed's position. Otherwise the viewer asks ``reached(_:of:)``.
  func join(_ group: GroupID, _ queue: WatchQueue) -> Bool {
    let (isKnown, hasEnded) = state.withLock { state in
      if state.hasEnded { return (true, true) }
      state.feeds[group, default: Feed()].viewers[ObjectIdentifier(queue)] = queue
      return (state.feeds[group]?.position != nil, false)
    }
    if hasEnded { queue.end(.stopping) }
    return isKnown
  }

  /// Reports that a viewer has read a group up to `sequence`.
  ///
  /// - Returns: the feed's position, up to which the viewer has to read the group by itself.
  func reached(_ sequence: Int64, of group: GroupID) -> Int64 {
    let (position, isBehind) = state.withLock { state -> (Int64, Bool) in
      guard var feed = state.feeds[group] else { return (sequence, false) }
      if let position = feed.position { return (position, false) }
      feed.position = sequence
      feed.highest = max(feed.highest, sequence)
      state.feeds[group] = feed
      if feed.isBehind { state.behind.insert(group) }
      return (sequence, feed.isBehind)
    }
    if isBehind { look.send() }
    return position
  }

  /// Adds nothing of the group to the queue any more.
  func leave(_ group: GroupID, _ queue: WatchQueue) {
    state.withLock { state in
      state.feeds[group]?.viewers[ObjectIdentifier(queue)] = nil
      guard state.feeds[group]?.viewers.isEmpty == true else { return }
      state.feeds[group] = nil
      state.behind.remove(group)
    }
  }

  // MARK: Changes

  /// Follows the changes until the service stops.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await self.listen() } }
      group.addTask { await cancelWhenGracefulShutdown { await self.catchUpAlways() } }
      group.addTask {
        await repeatUntilShutdown(every: self.interval, self.logger, "changes of groups could not be looked for") { _ in
          try await self.poll()
        }
      }
    }
    let queues = state.withLock { state in
      state.hasEnded = true
      defer { state.feeds = [:] }
      return state.feeds.values.flatMap(\.viewers.values)
    }
    for queue in queues { queue.end(.stopping) }
  }

  private func listen() async {
    for await message in live.subscribe(to: ChangeSignals.channel) {
      switch message {
      case .payload(let bytes): receive(FeedSignal.read(bytes))
      case .gap:
        do { try await poll() } catch {
          // The poll runs as well, and logs what is wrong with the database.
          logger.debug("changes could not be looked for after a gap", metadata: ["cause": "\(error)"])
        }
      }
    }
  }

  /// Delivers what is the next change of its group, and otherwise has the log read.
  func receive(_ signals: [FeedSignal]) {
    var queues: [WatchQueue] = []
    let isBehind = state.withLock { state in
      var isBehind = false
      for signal in signals {
        guard var feed = state.feeds[signal.groupID], signal.sequence > feed.highest else { continue }
        let isNext = feed.position == feed.highest && signal.sequence == feed.highest + 1
        feed.highest = signal.sequence
        if isNext, let change = signal.change {
          feed.position = signal.sequence
          for queue in feed.viewers.values {
            queue.append(.change(change))
            queues.append(queue)
          }
        } else if feed.isBehind {
          state.behind.insert(signal.groupID)
          isBehind = true
        }
        state.feeds[signal.groupID] = feed
      }
      return isBehind
    }
    // Woken outside the lock, because their tasks may run at once.
    for queue in queues { queue.wake() }
    if isBehind { look.send() }
  }

  // MARK: The log

  private func catchUpAlways() async {
    for await _ in look {
      do { try await catchUp() } catch {
        // What is behind stays so, and the poll signals again.
        logger.debug("changes of groups could not be read", metadata: ["cause": "\(error)"])
      }
    }
  }

  /// Reads the log of all groups that are behind, until none is.
  private func catchUp() async throws {
    while true {
      let behind = state.withLock { state in
        state.behind.prefix(Self.batch).compactMap { group in
          state.feeds[group]?.position.map { (group: group, position: $0) }
        }
      }
      if behind.isEmpty { return }
      let found = try await database.rows(
        ChangesOfGroups(
          groupIDs: behind.map(\.group), afters: behind.map(\.position), limit: Self.changes))
      deliver(found.map { FeedChange($0) }, to: behind)
    }
  }

  /// Adds changes to the queues of their groups' viewers. A group of which the next change is missing begins anew.
  private func deliver(_ changes: [FeedChange], to groups: [(group: GroupID, position: Int64)]) {
    let changes = Dictionary(grouping: changes, by: \.groupID)
    var queues: [WatchQueue] = []
    state.withLock { state in
      for (group, position) in groups {
        guard var feed = state.feeds[group], feed.position == position else { continue }
        let next = changes[group] ?? []
        if next.first?.sequence != position + 1 {
          feed.position = feed.highest
          for queue in feed.viewers.values { queue.append(.restart(group)) }
        }
        for change in next where change.sequence == (feed.position ?? 0) + 1 {
          feed.position = change.sequence
          for queue in feed.viewers.values { queue.append(.change(change)) }
        }
        feed.highest = max(feed.highest, feed.position ?? 0)
        if !feed.isBehind { state.behind.remove(group) }
        queues += feed.viewers.values
        state.feeds[group] = feed
      }
    }
    for queue in queues { queue.wake() }
  }

  /// Compares the numbers of all watched groups with the database's.
  private func poll() async throws {
    let watched = state.withLock { $0.feeds.map { (group: $0.key, position: $0.value.position) } }
    for start in stride(from: 0, to: watched.count, by: Self.batch) {
      let part = Array(watched[start..<min(start + Self.batch, watched.count)])
      let found = try await database.rows(GroupSequences(groupIDs: part.map(\.group)))
      compare(part, with: Dictionary(found.map { ($0.groupID, $0.sequence) }) { $1 })
    }
    if state.withLock({ !$0.behind.isEmpty }) { look.send() }
  }

  /// - Parameter groups: each with its position from before the numbers were read.
  private func compare(_ groups: [(group: GroupID, position: Int64?)], with sequences: [GroupID: Int64]) {
    var queues: [WatchQueue] = []
    state.withLock { state in
      for (group, position) in groups {
        guard var feed = state.feeds[group] else { continue }
        if let sequence = sequences[group], sequence >= position ?? 0 {
          feed.highest = max(feed.highest, sequence)
          if feed.isBehind { state.behind.insert(group) }
        } else {
          // The group is gone, or its log is an older one, from a backup.
          let entry: WatchQueue.Entry = sequences[group] == nil ? .gone(group) : .restart(group)
          (feed.position, feed.highest) = (sequences[group], sequences[group] ?? 0)
          for queue in feed.viewers.values { queue.append(entry) }
          queues += feed.viewers.values
        }
        state.feeds[group] = feed
      }
    }
    for queue in queues { queue.wake() }
  }
}
