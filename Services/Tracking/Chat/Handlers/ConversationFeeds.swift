import AsyncSignal
import ChatDomain
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
  }

  private let database: Database
  private let live: any LiveBus
  private let logger: Logger
  private let slowLook: Duration
  private let state = Mutex(State())
  private let wake = AsyncSignal()

  /// Conversations that are looked at concurrently.
  private static let maxTasks = 16
  /// Messages of one query.
  static let burst: Int64 = 100
  /// Conversations of one query of the slow poll.
  private static let batch = 1_000

  /// - Parameter slowLook: the poll interval: the longest time after which something whose signal was lost is found, and in which streams check that
  ///   their tokens are still valid.
  package init(database: Database, live: any LiveBus, slowLook: Duration = .milliseconds(500), logger: Logger) {
    (self.database, self.live, self.slowLook, self.logger) = (database, live, slowLook, logger)
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
      state.feeds[reader.conversationID, default: ConversationFeed()].readers[state.lastID] = reader
      return state.lastID
    }
  }

  /// Says where a conversation was after a reader was added.
  func begin(
    _ conversation: ConversationID, at position: ChatPosition, memberVersion: Int64, online: Set<UserID>
  ) {
    state.withLock { state in
      state.feeds[conversation]?.begin(at: position, memberVersion: memberVersion, online: online)
      if state.feeds[conversation] != nil { state.ready.append(conversation) }
    }
    wake.send()
  }

  func remove(_ id: UInt64, of conversation: ConversationID) {
    state.withLock { state in
      state.feeds[conversation]?.readers[id] = nil
      if state.feeds[conversation]?.readers.isEmpty == true { state.feeds[conversation] = nil }
    }
  }

  // MARK: Running

  package func run() async throws {
    await withTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await self.listen() } }
      group.addTask { await cancelWhenGracefulShutdown { await self.work() } }
      group.addTask {
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
      for reader in readers(of: id) where reader.userID != user { reader.deliver(.typingUserID(user.description)) }
    case .readMark(let id, let user, let sequence):
      let readers = state.withLock { state in
        state.feeds[id]?.readMarks[user] = sequence
        return state.feeds[id].map { Array($0.readers.values) } ?? []
      }
      for reader in readers { reader.deliver(.readMark(ReadMark(userID: user.description, sequence: sequence))) }
    }
  }

  private func readers(of id: ConversationID) -> [ConversationReader] {
    state.withLock { $0.feeds[id].map { Array($0.readers.values) } ?? [] }
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
        state.tasks += 1
        return (id, work, feed)
      }
      return nil
    }
  }

  private func process(_ id: ConversationID, _ work: ConversationFeed.Work, _ feed: ConversationFeed) async {
    var failed: ConversationFeed.Work = []
    do {
      if work.contains(.members) { try await readMembers(of: id) }
      if work.contains(.messages), let position = feed.position { try await readMessages(of: id, after: position) }
      if work.contains(.presence) { try await readPresence(of: id) }
    } catch {
      // The slow poll runs as well, and logs what is wrong with the database.
      logger.debug("a conversation could not be read", metadata: ["cause": "\(error)"])
      failed = work
      // So that a database that is away is not asked without a pause; the wait ends with the task.
      try? await Task.sleep(for: .milliseconds(100))
    }
    state.withLock { state in
      state.tasks -= 1
      state.feeds[id]?.isBusy = false
      state.feeds[id]?.work.formUnion(failed)
      if state.feeds[id]?.work.isEmpty == false { state.ready.append(id) }
    }
    wake.send()
  }

  // MARK: Reading

  private func readMessages(of id: ConversationID, after start: ChatPosition) async throws {
    var position = start
    var isComplete = false
    while !isComplete {
      let read = try await database.messages(of: id, after: position, from: 1)
      if let version = read.memberVersion, version != state.withLock({ $0.feeds[id]?.memberVersion }) {
        try await readMembers(of: id)
      }
      position = read.messages.reduce(position) { $0.after($1.sequence, $1.revision) }
      isComplete = read.isComplete
      let readers = state.withLock { state in
        state.feeds[id]?.position = position
        return state.feeds[id].map { Array($0.readers.values) } ?? []
      }
      if !read.messages.isEmpty { for reader in readers { reader.deliver(read.messages) } }
    }
  }

  /// Closes the conversation for those who are no longer members, and passes on read marks whose signals were lost.
  private func readMembers(of id: ConversationID) async throws {
    let members = try await database.rows(MembersOfConversation(conversationID: id))
    let first = Dictionary(members.map { ($0.userID, $0.firstSequence) }) { first, _ in first }
    let marks = Dictionary(members.map { ($0.userID, $0.readSequence) }) { first, _ in first }
    let (former, left, moved) = state.withLock { state in
      guard var feed = state.feeds[id] else {
        return ([ConversationReader](), [ConversationReader](), [UserID: Int64]())
      }
      let former = feed.readers.filter { first[$0.value.userID] != $0.value.firstSequence }
      for id in former.keys { feed.readers[id] = nil }
      let known = feed.readMarks
      let moved = marks.filter { user, sequence in known[user].map { $0 < sequence } ?? false }
      feed.readMarks = marks
      feed.memberVersion = members.first?.memberVersion ?? feed.memberVersion
      state.feeds[id] = feed.readers.isEmpty ? nil : feed
      return (Array(former.values), Array(feed.readers.values), moved)
    }
    for reader in former { reader.close(.notAMember) }
    for (user, sequence) in moved {
      for reader in left { reader.deliver(.readMark(ReadMark(userID: user.description, sequence: sequence))) }
    }
  }

  private func readPresence(of id: ConversationID) async throws {
    let online = Set(try await database.rows(OnlineMembers(conversationIDs: [id])).map(\.userID))
    let (readers, before) = state.withLock { state -> ([ConversationReader], Set<UserID>) in
      guard let feed = state.feeds[id], let before = feed.online else { return ([], online) }
      state.feeds[id]?.online = online
      return (Array(feed.readers.values), before)
    }
    for user in before.symmetricDifference(online).sorted() {
      for reader in readers where reader.userID != user { reader.deliver(presence: online.contains(user), of: user) }
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
