import Environment
import Live
import Logging
import Postgres
import Events
import ServiceLifecycle

/// The long-lived parts of the chat, which run beside its methods.
package struct ChatParts: Sendable {
  package let signals: ChatSignals
  let log: MessageLog
  let feeds: ConversationFeeds
  let presence: PresenceLeases
  let upkeep: ChatUpkeep

  /// - Parameters:
  ///   - executors: the event loops, on which messages are stored and read.
  ///   - lease: how long after a replica's last sign of life its users count as online ([TR-31]).
  package init(
    database: Database, environment: Environment, live: any LiveBus, events: Outbox, on executors: [any TaskExecutor],
    lease: Duration, logger: Logger
  ) {
    signals = ChatSignals(live: live)
    log = MessageLog(
      database: database, clock: environment.clock, signals: signals, on: executors, logger: logger)
    feeds = ConversationFeeds(database: database, live: live, on: executors[executors.count - 1], logger: logger)
    presence = PresenceLeases(
      database: database, environment: environment, signals: signals, lease: lease, logger: logger)
    upkeep = ChatUpkeep(
      database: database, clock: environment.clock, events: events, signals: signals, logger: logger)
  }

  /// In the order in which they start.
  package var services: [any Service] { [presence, feeds, log, upkeep] }
}
