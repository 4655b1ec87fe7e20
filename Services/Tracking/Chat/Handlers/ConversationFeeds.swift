import AsyncSignal
import ChatDomain
import ChatOperations
import DequeModule
import Identifiers
import Live
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle
import Synchronization
import TandemChat
import TrackingStore

/// Reads what happens in the conversations that this replica's streams have open, once for all of them, and passes it on.
///
/// Signals of the live bus say which conversation to look at, and the database says what happened there: one query for a conversation, however many
/// streams have it open. A slow poll, and every gap of the bus, looks at all of them.
package final class ConversationFeeds: Service {
  private struct State {
    var feeds: [ConversationID: ConversationFeed] = [:]
    var queues: [UInt64: EventQueue] = [:]
    var lastID: UInt64 = 0
    /// Conversations with work, in the order in which they got it.
    var ready = Deque<ConversationID>()
    var tasks = 0
    var hasEnded = false

    /// Changes a feed, unless it is gone: another one of the same conversation is none of the caller's.
    mutating func update<R: Sendable>(_ id: ConversationID, _ number: UInt64, _ change: (inout ConversationFeed) -> R)
      -> R?
    {
      guard var feed = feeds[id], feed.number == number else { return nil }
      feeds[id] = nil
      defer { feeds[id] = feed }
      return change(&feed)
    }
  }

  private let database: Database
  private let live: any LiveBus
  private let logger: Logger
  private let slowLook: Duration
  private let executor: any TaskExecutor
  private let state = Mutex(State())
  private let wake = AsyncSignal()

  /// Conversations that are looked at concurrently.
  private static let maxTasks = 16
  /// Messages of one query.
  static let burst: Int64 = 100
  /// Conversations of one query of the slow poll.
  private static let batch = 1_000

  /// - Parameters:
  ///   - executor: where it runs: an event loop.
  ///   - slowLook: the poll interval: the longest time after which something whose signal was lost is found, and in which streams check that
  ///     their tokens are still valid.
  package init(
    database: Database, live: any LiveBus, on executor: any TaskExecutor, slowLook: Duration = .milliseconds(500),
    logger: Logger
  ) {
    (self.database, self.live, self.slowLook, self.logger) = (database, live, slowLook, logger)
    self.executor = executor
  }

  // MARK: Readers

  /// Adds a stream's queue, which is woken now and then; `nil` when the service stops.
  func add(_ queue: EventQueue) -> UInt64? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.lastID += 1
      state.queues[state.lastID] = queue
      return state.lastID
    }
  }

  func removeQueue(_ id: UInt64) { state.withLock { _ = $0.queues.removeValue(forKey: id) } }

  /// Adds a reader: it gets what happens from now on.
  func add(_ reader: ConversationReader) -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      state.feeds[reader.conversationID, default: ConversationFeed(number: state.lastID)].readers[state.lastID] = reader
      return state.lastID
    }
  }

  /// What becomes of a reader that has read where the conversation is.
  enum Beginning: Sendable {
    /// Messages were read for the feed's readers up to there: what is beyond comes to the reader, before that it may lack something.
    case begun(ChatPosition)
    /// The members have changed since: the reader is to read again.
    case isOutdated
    /// The reader was removed, as its user is no longer a member.
    case isRemoved
  }

  /// Says where a conversation was after a reader was added.
  func begin(_ reader: ConversationReader, _ id: UInt64, _ found: FoundConversation) -> Beginning {
    let conversation = reader.conversationID
    let beginning = state.withLock { state -> Beginning in
      guard var feed = state.feeds[conversation], feed.readers[id] != nil else { return .isRemoved }
      state.feeds[conversation] = nil
      let known = feed.begin(id, found)
      state.feeds[conversation] = feed
      // Also what happened since the reader was added, of which signals have told.
      if !feed.work.isEmpty { state.ready.append(conversation) }
      return known.map { .begun($0) } ?? .isOutdated
    }
    wake.send()
    return beginning
  }

  func remove(_ id: UInt64, of conversation: ConversationID) {
    state.withLock { state in
      state.feeds[conversation]?.readers[id] = nil
      state.feeds[conversation]?.toldOtherwise[id] = nil
      if state.feeds[conversation]?.readers.isEmpty == true { state.feeds[conversation] = nil }
    }
  }

  // MARK: Running

  package func run() async throws {
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { await cancelWhenGracefulShutdown { await self.listen() } }
      group.addTask(executorPreference: executor) { await cancelWhenGracefulShutdown { await self.work() } }
      group.addTask(executorPreference: executor) {
        await repeatUntilShutdown(every: self.slowLook, self.logger, "conversations could not be looked at") { _ in
          try await self.look()
        }
      }
    }
    let queues = state.withLock { state in
      state.hasEnded = true
      return Array(state.queues.values)
    }
    for queue in queues { queue.wake.finish() }
  }

  private func listen() async {
    for await message in live.subscribe(to: ChatSignals.channel) {
      switch message {
      case .payload(let bytes):
        if let signal = ChatSignal(bytes) { hear(signal) }
      case .gap: add(.all, to: nil)
      }
    }
  }

  private func hear(_ signal: ChatSignal) {
    switch signal {
    case .messages(let id): add(.messages, to: id)
    case .members(let id): add([.members, .messages], to: id)
    case .presence(let id): add(.presence, to: id)
    case .typing(let id, let user):
      state.withLock { _ = $0.feeds[id]?.typing.insert(user) }
      add(.signals, to: id)
    case .readMark(let id, let user, let sequence):
      state.withLock { $0.feeds[id]?.newReadMarks[user, default: 0].raise(to: sequence) }
      add(.signals, to: id)
    }
  }

  /// Has a conversation, or with `nil` all of them, looked at.
  private func add(_ work: ConversationFeed.Work, to id: ConversationID?) {
    state.withLock { state in
      for id in id.map({ [$0] }) ?? Array(state.feeds.keys) where state.feeds[id] != nil {
        let hadWork = state.feeds[id]?.work.isEmpty == false
        state.feeds[id]?.work.formUnion(work)
        if !hadWork { state.ready.append(id) }
      }
    }
    wake.send()
  }

  private func work() async {
    await withDiscardingTaskGroup { group in
      for await _ in wake {
        while let (id, work, feed) = takeWork() {
          group.addTask { await self.process(id, work, feed) }
        }
      }
      group.cancelAll()
    }
  }

  private func takeWork() -> (ConversationID, ConversationFeed.Work, ConversationFeed)? {
    state.withLock { state in
      guard state.tasks < Self.maxTasks else { return nil }
      while let id = state.ready.popFirst() {
        guard var feed = state.feeds[id], !feed.isBusy, feed.position != nil, !feed.work.isEmpty else { continue }
        let work = feed.work
        (feed.work, feed.isBusy) = ([], true)
        state.feeds[id] = feed
        state.feeds[id]?.typing = []
        state.feeds[id]?.newReadMarks = [:]
        state.tasks += 1
        return (id, work, feed)
      }
      return nil
    }
  }

  private func process(_ id: ConversationID, _ work: ConversationFeed.Work, _ feed: ConversationFeed) async {
    var failed: ConversationFeed.Work = []
    do {
      if work.contains(.members) { try await readMembers(of: id, feed.number) }
      var senders: Set<UserID> = []
      if work.contains(.messages), let position = feed.position {
        senders = try await readMessages(of: id, feed.number, after: position)
      }
      if work.contains(.presence) { try await readPresence(of: id, feed.number) }
      tell(feed.newReadMarks, of: id, feed.number)
      tell(typing: feed.typing.subtracting(senders), of: id, feed.number)
    } catch {
      // The slow poll runs as well, and logs what is wrong with the database.
      logger.debug("a conversation could not be read", metadata: ["cause": "\(error)"])
      failed = work.union(feed.newReadMarks.isEmpty ? [] : .members)
      // So that a database that is away is not asked without a pause; the wait ends with the task.
      try? await Task.sleep(for: .milliseconds(100))
    }
    state.withLock { state in
      state.tasks -= 1
      state.update(id, feed.number) { feed in
        feed.isBusy = false
        feed.work.formUnion(failed)
      }
      if state.feeds[id]?.work.isEmpty == false { state.ready.append(id) }
    }
    wake.send()
  }

  // MARK: Reading

  private func update<R: Sendable>(_ id: ConversationID, _ number: UInt64, _ change: (inout ConversationFeed) -> R)
    -> R?
  {
    state.withLock { $0.update(id, number, change) }
  }

  /// - Returns: the senders of what was read.
  private func readMessages(
    of id: ConversationID, _ number: UInt64, after start: ChatPosition
  ) async throws -> Set<UserID> {
    var (position, senders) = (start, Set<UserID>())
    var isComplete = false
    while !isComplete {
      let read = try await database.messages(of: id, after: position, from: 1)
      if let version = read.memberVersion, version != state.withLock({ $0.feeds[id]?.memberVersion }) {
        try await readMembers(of: id, number)
      }
      let before = position
      position = read.messages.reduce(position) { $0.after($1.sequence, $1.revision) }
      isComplete = read.isComplete
      senders.formUnion(read.messages.compactMap(\.senderID))
      let readers = update(id, number) { feed -> [ConversationReader] in
        feed.position = position
        return Array(feed.readers.values)
      }
      guard let readers else { break }
      if !read.messages.isEmpty || before != start {
        for reader in readers { reader.deliver(read.messages, after: before, isPartial: !isComplete) }
      }
    }
    return senders
  }

  /// Closes the conversation for those who are no longer members, and passes on read marks whose signals were lost, and blocks.
  private func readMembers(of id: ConversationID, _ number: UInt64) async throws {
    // A reader that comes later may be of a user who joined after what is read here.
    let newest = state.withLock { $0.lastID }
    let members = try await database.rows(MembersOfConversation(conversationID: id))
    let hidden = HiddenMembers(among: members)
    let first = Dictionary(members.map { ($0.userID, $0.firstSequence) }) { first, _ in first }
    let marks = Dictionary(members.map { ($0.userID, $0.readSequence) }) { first, _ in first }
    var others: [ConversationReader] = []
    var (before, online) = (hidden, Set<UserID>())
    let former = state.withLock { state -> [ConversationReader] in
      let former = state.update(id, number) { feed -> [ConversationReader] in
        let foreign = feed.readers.filter { first[$0.value.userID] != $0.value.firstSequence }
        let former = foreign.filter { $0.key <= newest }
        // Whether one that came meanwhile has left meanwhile too, or joined, the next look tells.
        if former.count < foreign.count { feed.work.insert(.members) }
        for id in former.keys { (feed.readers[id], feed.toldOtherwise[id]) = (nil, nil) }
        // Those that are new are of members who have read nothing but the notice of their joining.
        for user in marks.keys where feed.readMarks[user] == nil { feed.readMarks[user] = marks[user] }
        feed.readMarks = feed.readMarks.filter { marks[$0.key] != nil }
        feed.memberVersion = members.first?.memberVersion ?? feed.memberVersion
        (others, before, online) = (Array(feed.readers.values), feed.hidden, feed.online ?? [])
        feed.hidden = hidden
        return Array(former.values)
      }
      if state.feeds[id]?.readers.isEmpty == true { state.feeds[id] = nil }
      return former ?? []
    }
    for reader in former { reader.close(.notAMember) }
    for reader in others {
      if let version = members.first?.memberVersion { reader.fold(hidden.all(from: reader.userID), since: version) }
      for user in before.difference(from: hidden, for: reader.userID) {
        let isSeen = !hidden.hides(user, from: reader.userID)
        if online.contains(user) { reader.deliver(presence: isSeen, of: user) }
        if isSeen, let mark = marks[user] {
          reader.deliver(.readMark(ReadMark(userID: user.description, sequence: mark)))
        }
      }
    }
    tell(marks, of: id, number)
  }

  private func readPresence(of id: ConversationID, _ number: UInt64) async throws {
    let online = Set(try await database.rows(OnlineMembers(conversationIDs: [id])).map(\.userID))
    let seen = update(id, number) { feed in
      let changed = (feed.online ?? online).symmetricDifference(online)
      defer { (feed.online, feed.toldOtherwise) = (online, [:]) }
      return (feed.readers, changed, feed.toldOtherwise, feed.readMarks, feed.hidden)
    }
    guard let (readers, changed, toldOtherwise, marks, hidden) = seen else { return }
    for (number, reader) in readers {
      let otherwise = toldOtherwise[number] ?? ConversationFeed.ToldOtherwise()
      for user in changed.union(otherwise.presence).sorted()
      where reader.userID != user && !hidden.hides(user, from: reader.userID) {
        reader.deliver(presence: online.contains(user), of: user)
      }
      for user in otherwise.readMarks.sorted() where !hidden.hides(user, from: reader.userID) {
        guard let mark = marks[user] else { continue }
        reader.deliver(.readMark(ReadMark(userID: user.description, sequence: mark)))
      }
    }
  }

  // MARK: Signals

  /// Tells up to where members have read, unless that is known: a mark never goes back.
  private func tell(_ marks: [UserID: Int64], of id: ConversationID, _ number: UInt64) {
    let (readers, moved, hidden) =
      update(id, number) { feed -> ([ConversationReader], [UserID: Int64], HiddenMembers) in
        let moved = marks.filter { user, sequence in feed.readMarks[user].map { $0 < sequence } ?? false }
        feed.readMarks.merge(moved) { _, new in new }
        return (Array(feed.readers.values), moved, feed.hidden)
      } ?? ([], [:], HiddenMembers())
    for (user, sequence) in moved {
      for reader in readers where !hidden.hides(user, from: reader.userID) {
        reader.deliver(.readMark(ReadMark(userID: user.description, sequence: sequence)))
      }
    }
  }

  /// Tells who is typing, of the members.
  private func tell(typing users: Set<UserID>, of id: ConversationID, _ number: UInt64) {
    guard !users.isEmpty else { return }
    let (readers, members, hidden) =
      update(id, number) { feed -> ([ConversationReader], Set<UserID>, HiddenMembers) in
        (Array(feed.readers.values), users.filter { feed.readMarks[$0] != nil }, feed.hidden)
      } ?? ([], [], HiddenMembers())
    for user in members {
      for reader in readers where reader.userID != user && !hidden.hides(user, from: reader.userID) {
        reader.deliver(.typingUserID(user.description))
      }
    }
  }

  /// Finds what has changed in any conversation, and wakes all streams.
  private func look() async throws {
    let (watched, queues) = state.withLock { (Array($0.feeds.keys), Array($0.queues.values)) }
    for queue in queues { queue.wake.send() }
    for start in stride(from: 0, to: watched.count, by: Self.batch) {
      let some = Array(watched[start..<min(start + Self.batch, watched.count)])
      let heads = try await database.rows(ConversationHeads(conversationIDs: some))
      let online = Dictionary(
        grouping: try await database.rows(OnlineMembers(conversationIDs: some)), by: \.conversationID
      ).mapValues { Set($0.map(\.userID)) }
      for head in heads {
        let work = state.withLock { $0.feeds[head.id]?.work(toReach: head, online: online[head.id] ?? []) ?? [] }
        if !work.isEmpty { add(work, to: head.id) }
      }
    }
  }
}

extension ConversationFeed {
  /// What is to be looked at because something differs from what is known.
  fileprivate func work(toReach head: ConversationHeads.Row, online present: Set<UserID>) -> Work {
    var work: Work = []
    if position.map({ $0.lacks(head.lastSequence, head.lastRevision) }) ?? true { work.insert(.messages) }
    if memberVersion != head.memberVersion { work.insert(.members) }
    if online != present { work.insert(.presence) }
    return work
  }
}

extension Int64 {
  fileprivate mutating func raise(to other: Int64) { self = Swift.max(self, other) }
}

extension ConversationReader {
  /// Says that a member came online or went offline ([TR-31]).
  func deliver(presence isOnline: Bool, of user: UserID) {
    let text = isOnline ? PresenceText.online : PresenceText.offline
    deliver(.presence(Presence(user, isOnline, kind == .group ? text : "")))
  }
}

extension TandemChat.Presence {
  fileprivate init(_ user: UserID, _ isOnline: Bool, _ text: String) {
    self.init(userID: user.description, online: isOnline, text: text)
  }
}

/// What follows a position in a conversation.
struct MessagesRead: Sendable {
  /// Changes of earlier messages, then later messages.
  let messages: [StoredMessage]
  /// The version of the members at the same moment; `nil` where there are no messages.
  let memberVersion: Int64?
  /// Whether nothing more followed.
  let isComplete: Bool
}

extension Database {
  /// Reads some of what follows a position: of what it returns nothing before the last message is missing.
  nonisolated(nonsending) func messages(
    of id: ConversationID, after position: ChatPosition, from first: Int64
  ) async throws -> MessagesRead {
    let burst = ConversationFeeds.burst
    let rows = try await rows(
      MessagesAfter(
        sequence: position.sequence, conversationID: id, revision: position.revision, firstSequence: first, limit: burst
      ))
    let changes = rows.filter(\.isChange).count
    // Later messages carry the latest revisions, so they wait until all changes before those were read.
    let read = changes == burst ? rows.filter(\.isChange) : rows
    return MessagesRead(
      messages: read.map(\.message), memberVersion: rows.first?.memberVersion,
      isComplete: changes < burst && rows.count - changes < burst)
  }
}
