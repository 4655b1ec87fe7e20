import AsyncSignal
import ChatDomain
import DequeModule
import Environment
import Identifiers
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import TTRPC
import TrackingStore

/// A message to be added to a conversation.
package struct NewMessage: Sendable {
  let conversationID: ConversationID
  let senderID: UserID
  let clientMessageID: ClientMessageID
  package let text: String
  /// By which it is found; see ``SearchedWords``.
  var words = ""
  /// 0 for none.
  let replyTo: Int64
  package let pictureID: ChatPictureID?
}

/// Adds messages to conversations, many by one commit ([TR-32]).
///
/// A conversation belongs to one of a few lanes, each of which stores one batch after the other: what arrives while a batch is being stored is the
/// next one. So a busy conversation needs one lock and one commit for all that wait, and the order of a sender's messages is kept.
package final class MessageLog: Service {
  private let lanes: [MessageLane]

  /// Few, so that batches are large; several, so that one slow commit does not hold up all conversations.
  private static let laneCount = 4

  /// - Parameter executors: where the lanes run: event loops, on which a statement needs no other thread.
  package init(
    database: Database, clock: any WallClock, signals: ChatSignals, on executors: [any TaskExecutor], logger: Logger
  ) {
    lanes = (0..<Self.laneCount).map {
      MessageLane(
        database: database, clock: clock, signals: signals, on: executors[$0 % executors.count], logger: logger)
    }
  }

  /// Adds a message; it is durable when this returns. A message that was added before is not added again.
  ///
  /// - Throws: why it was refused; RESOURCE_EXHAUSTED `OVERLOADED` when too many wait.
  func append(_ message: NewMessage) async throws -> StoredSend {
    let place = message.conversationID.uuid.hashValue & Int.max
    return try await lanes[place % lanes.count].append(message)
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup { group in
        for lane in self.lanes { group.addTask(executorPreference: lane.executor) { await lane.run() } }
      }
    }
  }
}

/// A message that is stored.
struct StoredSend: Sendable {
  let sequence: Int64
  let createdAt: Instant
}

/// The messages of some conversations, stored in batches one after the other.
private final class MessageLane: Sendable {
  private typealias Answer = Result<StoredSend, any Error>

  private struct Pending: Sendable {
    let message: NewMessage
    let answer: CheckedContinuation<Answer, Never>
  }

  private struct State {
    var waiting = Deque<Pending>()
    var hasEnded = false
  }

  private let database: Database
  private let clock: any WallClock
  private let signals: ChatSignals
  let executor: any TaskExecutor
  private let logger: Logger
  private let state = Mutex(State())
  private let wake = AsyncSignal()

  /// Messages of a batch: as many as are worth a commit, few enough that the next does not wait for long.
  private static let batch = 256
  /// Messages that may wait.
  private static let maxCount = 4_096
  /// Until members who are offline are notified: one who reconnects meanwhile is not ([TR-32]).
  private static let noticeDelay = Duration.seconds(5)

  init(
    database: Database, clock: any WallClock, signals: ChatSignals, on executor: any TaskExecutor, logger: Logger
  ) {
    (self.database, self.clock, self.signals, self.logger) = (database, clock, signals, logger)
    self.executor = executor
  }

  func append(_ message: NewMessage) async throws -> StoredSend {
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
      let refusal = state.withLock { state -> Status? in
        if state.hasEnded { return .unavailable("The service is stopping") }
        if state.waiting.count >= Self.maxCount { return .logOverloaded }
        state.waiting.append(Pending(message: message, answer: continuation))
        return nil
      }
      if let refusal { continuation.resume(returning: .failure(refusal)) } else { wake.send() }
    }
    return try answer.get()
  }

  func run() async {
    for await _ in wake {
      while let batch = take() { await store(batch) }
    }
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for pending in left { pending.answer.resume(returning: .failure(Status.unavailable("The service is stopping"))) }
  }

  /// The next messages, no two of which are the same or have the same picture: the second of them waits for the next batch.
  private func take() -> [Pending]? {
    state.withLock { state in
      var (batch, left, seen) = ([Pending](), Deque<Pending>(), Set<UUID7>())
      while batch.count < Self.batch, let pending = state.waiting.popFirst() {
        let keys = [pending.message.clientMessageID.uuid] + (pending.message.pictureID.map { [$0.uuid] } ?? [])
        if keys.contains(where: seen.contains) {
          left.append(pending)
        } else {
          seen.formUnion(keys)
          batch.append(pending)
        }
      }
      state.waiting = left + state.waiting
      return batch.isEmpty ? nil : batch
    }
  }

  private func store(_ batch: [Pending]) async {
    do {
      let rows = try await rows(of: batch)
      signals.send(
        Set(rows.filter { $0.outcome == .stored }.map { batch[Int($0.place)].message.conversationID }).map {
          .messages($0)
        })
      for row in rows {
        let stored = StoredSend(sequence: row.sequence, createdAt: row.createdAt)
        batch[Int(row.place)].answer.resume(returning: row.outcome.refusal.map { .failure($0) } ?? .success(stored))
      }
    } catch let error as PostgresError where !error.isUnavailable && !error.isOverloaded && batch.count > 1 {
      // One of them is to blame, and the others are not to suffer.
      logger.error("a batch of messages could not be stored", metadata: ["cause": "\(error)"])
      for pending in batch { await store([pending]) }
    } catch {
      for pending in batch { pending.answer.resume(returning: .failure(error)) }
    }
  }

  private func rows(of batch: [Pending]) async throws -> [AppendMessages.Row] {
    let messages = batch.map(\.message)
    let now = clock.now
    let append = AppendMessages(
      places: messages.indices.map { Int32($0) }, conversationIDs: messages.map(\.conversationID),
      userIDs: messages.map(\.senderID), clientMessageIDs: messages.map(\.clientMessageID),
      texts: messages.map(\.text), words: messages.map(\.words), replies: messages.map(\.replyTo),
      pictureIDs: messages.map { $0.pictureID ?? Self.noPicture }, hasPictures: messages.map { $0.pictureID != nil },
      maxMessages: MessageStorage.maxMessages, maxBytes: MessageStorage.maxBytes, now: now,
      dueAt: now + Self.noticeDelay)
    let lock = LockConversations(conversationIDs: Array(Set(messages.map(\.conversationID))))
    let lockSenders = LockChatStorage(userIDs: Array(Set(messages.map(\.senderID))))
    let judged = Mutex<[AppendMessages.Row]>([])
    try await database.transaction { tx in
      // All go with the commit, so that conversations are locked for no longer than the server needs.
      tx.queue(lock)
      tx.queue(lockSenders)
      tx.queue(append) { rows in judged.withLock { $0 = rows } }
    }
    let rows = judged.withLock { $0 }
    precondition(rows.count == batch.count, "the statement judges every message once")
    return rows
  }

  /// At the place of a message without a picture.
  private static let noPicture = ChatPictureID(UUID7(high: 0, low: 0))
}
