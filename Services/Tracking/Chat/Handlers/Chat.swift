import ChatDomain
import ChatOperations
import Cryptography
import Environment
import Idempotency
import Identifiers
import Logging
import Pagination
import Pictures
import Postgres
import StreamPlaces
import TTRPC
import TandemChat

// The contract has types of the same names; in this module the names mean the domain's.
typealias ConversationKind = ChatDomain.ConversationKind
typealias SystemNotice = ChatDomain.SystemNotice

/// Conversations of groups and of two users; each method is in its own file.
package struct Chat: ChatService {
  let database: Database
  let environment: Environment
  let pages: Pages
  let idempotency: IdempotencyStore
  let operations: ChatOperations
  let log: MessageLog
  let feeds: ConversationFeeds
  let presence: ReplicaPresence
  let pictures: PictureStore
  let uploads: PictureUploads
  let streams: OpenStreams
  /// The turns of streams that open a conversation, and of those that have been let in, which wait for none that come behind them.
  let openings = StreamOpenings("conversation", limit: Self.maxBeginning)
  let beginnings = StreamOpenings("messages", limit: Self.maxBeginning)
  let rates: SendRates
  let settings: StreamLimits

  var clock: any WallClock { environment.clock }

  /// Few, because calls of others wait behind what all of them read: of 32 at a time 10,000 began in three quarters of the time, and half of
  /// others' calls took three times as long.
  private static let maxBeginning = 4

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - tokens: asked while a stream is open whether its token is still valid; `nil` where tokens cannot end.
  package init(
    _ operations: ChatOperations, log: MessageLog, presence: ReplicaPresence, feeds: ConversationFeeds,
    database: Database, environment: Environment, seal: Seal, uploads: PictureUploads, tokens: (any Authenticator)?,
    settings: StreamLimits = StreamLimits()
  ) {
    self.database = database
    self.environment = environment
    self.uploads = uploads
    self.settings = settings
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    pictures = PictureStore(database: database)
    (self.operations, self.log, self.presence, self.feeds) = (operations, log, presence, feeds)
    streams = OpenStreams(tokens: tokens)
    rates = SendRates()
  }
}

extension Chat {
  /// The caller of a method, who is there by that ([TR-31]).
  func heard(_ context: CallContext) throws(Status) -> UserID {
    let user = try context.userID
    streams.heard(user, at: clock.now)
    return user
  }
}

/// How long and how often clients' streams may do what.
package struct StreamLimits: Sendable {
  /// How long a client of Connect may send nothing ([TR-31]).
  package var silence: Duration
  /// The most conversations that a stream has open.
  static let conversations = 500
  /// The shortest time between two signals of typing.
  static let typing = Duration.seconds(1)
  /// The longest tag.
  static let tag = 64

  package init(silence: Duration = .seconds(60)) { self.silence = silence }
}
