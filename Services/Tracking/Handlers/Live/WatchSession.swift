import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

/// A group that a viewer asks to watch.
package struct WatchStart: Sendable {
  package let group: GroupID
  /// The last change that the viewer has; `nil` for a snapshot.
  package let after: Int64?
  /// The numbering that it is of; 0 if the viewer does not know.
  package let epoch: Int64
}

/// What a viewer asks for in one message.
package struct WatchOrder: Sendable {
  package var add: [WatchStart] = []
  package var drop: [GroupID] = []
}

/// One stream of a viewer: what is sent, in which order, and where each group stands ([TR-4]).
///
/// One task runs it. A group's changes wait in the queue from before it is read, and those that the reading included are left
/// out by their numbers: so none is missed and none is sent twice.
struct WatchSession {
  let viewer: UserID
  let locations: Locations
  let queue: WatchQueue
  let responses: MessageWriter<WatchResponse>
  /// The last change of each watched group that was sent or left out.
  private var positions: [GroupID: Int64] = [:]
  /// The numbering of these; it changes only while the database is restored, without the service.
  private var epoch: Int64 = 0
  /// The groups whose changes come into the queue.
  private var joined: Set<GroupID> = []
  /// Users whom the viewer does not see, because one of the two has blocked the other ([C-10]); of each group as of its last change that was
  /// taken, so that what happened under a block stays hidden where its end is yet to come.
  private var hidden: [GroupID: Set<UserID>] = [:]
  /// Changes to send in the next message.
  private var pending: [MemberChange] = []

  /// Groups that one stream may watch: as many as a user can be in.
  static let maxGroups = 200
  /// Changes that are sent to a viewer who resumes: with more a snapshot is less.
  private static let maxMissed: Int64 = 5_000
  /// Changes in one message.
  private static let maxPending = 100

  init(
    of viewer: UserID, _ locations: Locations, _ queue: WatchQueue, _ responses: MessageWriter<WatchResponse>
  ) {
    (self.viewer, self.locations, self.queue, self.responses) = (viewer, locations, queue, responses)
  }

  private var feeds: GroupFeeds { locations.feeds }
  private var database: Database { locations.database }

  /// Sends what the queue has, until `isOver` holds or the stream ends.
  ///
  /// - Throws: the status that ends the stream.
  mutating func run(until isOver: (Int) -> Bool = { _ in false }) async throws {
    while let batch = try await queue.next() {
      for entry in batch.entries { try await take(entry) }
      try await flush()
      if batch.isOverflown { return try await giveUp() }
      if isOver(positions.count) { return }
    }
    throw Status.cancelled
  }

  /// Ends watching of all groups.
  mutating func leave() {
    for group in joined { feeds.leave(group, queue) }
    joined = []
  }

  private mutating func take(_ entry: WatchQueue.Entry) async throws {
    switch entry {
    case .change(let change): try await take(change)
    case .request(let order): try await take(order)
    case .restart(let group):
      if positions[group] != nil { try await begin([group], .changesGone) }
    case .gone(let group):
      if positions[group] != nil { try await end(group, .notAMember) }
    }
  }

  // MARK: Changes

  private mutating func take(_ change: FeedChange) async throws {
    guard let position = positions[change.groupID], change.sequence > position else { return }
    positions[change.groupID] = change.sequence
    switch change.kind {
    case .left where change.userID == viewer:
      return try await end(change.groupID, .notAMember)
    case .visibility:
      // That of a user is for the user alone; that of no user is for everyone.
      guard change.userID == viewer || change.userID == .everyone else { return }
      return try await begin([change.groupID], .visibilityChanged)
    case .position, .state, .joined, .left, .placeReached, .placeLeft:
      if change.kind == .joined, try await isSeenOtherwise(change) {
        return try await begin([change.groupID], .visibilityChanged)
      }
      guard hidden[change.groupID]?.contains(change.userID) != true else { return }
      pending.append(change.message)
      if pending.count >= Self.maxPending { try await flush() }
    }
  }

  /// Hides a new member whom the viewer does not see: a block from before the membership is in no group's log.
  ///
  /// - Returns: whether a block has ended in the same way, so that the viewer has to begin anew.
  private mutating func isSeenOtherwise(_ joined: FeedChange) async throws -> Bool {
    if try await database.rows(HiddenUsers(userID: viewer)).contains(joined.userID) {
      hidden[joined.groupID, default: []].insert(joined.userID)
      return false
    }
    return hidden[joined.groupID]?.contains(joined.userID) == true
  }

  private mutating func flush() async throws {
    guard !pending.isEmpty else { return }
    let changes = pending
    pending.removeAll(keepingCapacity: true)
    try await send(.changes(MemberChanges(changes: changes)))
  }

  private func send(_ content: WatchResponse.Content) async throws {
    // A stream whose token was revoked meanwhile gets nothing more.
    try queue.checkOpen()
    try await responses.send(WatchResponse(content: content))
  }

  /// Says where each group stands, to a viewer who lost what came behind.
  private mutating func giveUp() async throws {
    let groups = positions.sorted { $0.key < $1.key }.map {
      WatchedGroup(groupID: $0.key.description, after: $0.value, epoch: epoch)
    }
    try await send(.position(WatchPosition(groups: groups)))
    throw Status.viewerTooSlow
  }

  // MARK: Groups

  private mutating func take(_ order: WatchOrder) async throws {
    for group in order.drop where positions[group] != nil { try await end(group, .dropped) }
    let new = order.add.filter { positions[$0.group] == nil }
    guard positions.count + new.count <= Self.maxGroups else { throw Status.tooManyWatchedGroups }
    guard !order.add.isEmpty else { return }
    try await flush()
    let begun = order.add.filter { $0.after == nil }.map(\.group)
    let resumed = order.add.compactMap { start in
      start.after.map { (group: start.group, after: $0, epoch: start.epoch) }
    }
    // One turn for all: what waits for a second one would fill the queue with the changes of what began in the first.
    let (beginning, unseen, starts) = try await locations.watchOpenings.inTurn(of: viewer, isNew: positions.isEmpty) {
      // A stream that ended while it waited reads nothing.
      try queue.checkOpen()
      let beginning = begun.isEmpty ? nil : try await read(begun)
      guard !resumed.isEmpty else { return (beginning, Set<UserID>(), [WatchStarts.Row]()) }
      // Read before: a block that ends from now on is among the changes.
      let unseen = Set(try await database.rows(HiddenUsers(userID: viewer)))
      let starts = try await database.rows(
        WatchStarts(groupIDs: resumed.map(\.group), afters: resumed.map(\.after), userID: viewer))
      return (beginning, unseen, starts)
    }
    if let beginning { try await show(beginning, .requested) }
    for one in resumed {
      try await resume(one.group, one.after, of: one.epoch, starts.first { $0.groupID == one.group }, unseen)
    }
  }

  private mutating func end(_ group: GroupID, _ reason: WatchEndReason) async throws {
    if joined.remove(group) != nil { feeds.leave(group, queue) }
    positions[group] = nil
    hidden[group] = nil
    try await flush()
    try await send(.end(WatchEnd(groupID: group.description, reason: reason)))
  }

  /// See ``GroupFeeds/join(_:_:)``.
  private mutating func join(_ group: GroupID) -> Bool {
    joined.insert(group)
    return feeds.join(group, queue)
  }

  /// Groups as they are read to begin them.
  private struct Beginning {
    let groups: [GroupID]
    /// Those whose feeds may have read further than the snapshots (``GroupFeeds/join(_:_:)``).
    var unsure: Set<GroupID>
    let snapshots: [GroupID: GroupMembers]
    /// Users whom the viewer does not see.
    let unseen: Set<UserID>
  }

  /// Begins some groups, or begins them anew.
  private mutating func begin(_ groups: [GroupID], _ reason: SnapshotReason) async throws {
    if groups.isEmpty { return }
    try await flush()
    try await show(try await readInTurn(groups), reason)
  }

  // Inlined into its callers it crashes the optimizer of Swift 6.3.1.
  @inline(never)
  private mutating func readInTurn(_ groups: [GroupID]) async throws -> Beginning {
    try await locations.watchRestarts.inTurn(of: viewer, isNew: false) {
      try queue.checkOpen()
      return try await read(groups)
    }
  }

  /// Joins groups, and reads them.
  private mutating func read(_ groups: [GroupID]) async throws -> Beginning {
    let unsure = Set(groups.filter { !join($0) })
    let snapshots = try await locations.snapshots(of: groups, for: viewer)
    // Read after the snapshots: a block from in between is hidden at once, and its change is behind the snapshot.
    let unseen = Set(try await database.rows(HiddenUsers(userID: viewer)))
    return Beginning(groups: groups, unsure: unsure, snapshots: snapshots, unseen: unseen)
  }

  /// Sends snapshots of groups; an end for those of which the viewer is no member.
  private mutating func show(_ first: Beginning, _ reason: SnapshotReason) async throws {
    var beginning = first
    while true {
      var again: [GroupID] = []
      for group in beginning.groups {
        guard let snapshot = beginning.snapshots[group] else {
          try await end(group, positions[group] == nil ? .notFound : .notAMember)
          continue
        }
        if beginning.unsure.remove(group) != nil, feeds.reached(snapshot.sequence, of: group) > snapshot.sequence {
          again.append(group)
          continue
        }
        (positions[group], epoch) = (snapshot.sequence, snapshot.epoch)
        hidden[group] = beginning.unseen
        try await send(.snapshot(GroupSnapshot(group: snapshot, reason: reason)))
      }
      guard !again.isEmpty else { return }
      let unsure = beginning.unsure
      beginning = try await readInTurn(again)
      beginning.unsure = unsure
    }
  }

  /// Continues a group behind `after`, or begins it anew where that cannot be.
  ///
  /// - Parameters:
  ///   - start: where the group stood when it was looked up; `nil` where the viewer is no member.
  ///   - unseen: users whom the viewer did not see before that.
  private mutating func resume(
    _ group: GroupID, _ after: Int64, of known: Int64, _ start: WatchStarts.Row?, _ unseen: Set<UserID>
  ) async throws {
    // What waits of it is left out: it is read again.
    positions[group] = nil
    try await flush()
    hidden[group] = unseen
    guard let start else { return try await end(group, .notFound) }
    epoch = start.epoch
    // Where the database was restored since then, the numbers stand for other changes.
    guard known == 0 || known == start.epoch else { return try await begin([group], .changesGone) }
    guard !start.wasAway, after <= start.sequence, start.sequence - after <= Self.maxMissed else {
      return try await begin([group], .changesGone)
    }
    guard !start.seesOtherwise else { return try await begin([group], .visibilityChanged) }
    var log = LogReader(of: group, behind: after, through: start.sequence, database)
    guard var changes = try await log.next() else { return try await begin([group], .changesGone) }
    positions[group] = after
    try await send(.resumed(WatchedGroup(groupID: group.description, after: after, epoch: epoch)))
    var isKnown: Bool?
    while true {
      for change in changes {
        try await take(change)
        // It ended, or began anew.
        guard positions[group] == change.sequence else { return }
      }
      // The queue takes over from the last page on, so that it need not hold what a long absence left.
      if !log.isFull {
        if isKnown != nil { break }
        isKnown = join(group)
      }
      guard let more = try await log.next() else { return try await begin([group], .changesGone) }
      changes = more
    }
    if isKnown == false { try await catchUp(group, &log) }
  }

  /// Reads what is missing up to the feed's position, which another viewer set meanwhile.
  private mutating func catchUp(_ group: GroupID, _ log: inout LogReader) async throws {
    guard let position = positions[group] else { return }
    let target = feeds.reached(position, of: group)
    while let position = positions[group], position < target {
      guard let changes = try await log.next(), !changes.isEmpty else { return try await begin([group], .changesGone) }
      for change in changes { try await take(change) }
    }
  }
}
