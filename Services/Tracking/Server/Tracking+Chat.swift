import ChatBackground
import ChatHandlers
import ChatOperations
import Events
import Expiry
import PictureSettings
import Pictures
import ServiceLifecycle
import ServiceRuntime
import TTRPC
import TrackingStore

/// The chat that this service hosts.
struct HostedChat {
  let methods: Chat
  let operations: ChatOperations
  /// Run beside the methods.
  let services: [any Service]

  private static let lease = Setting<Duration>(
    "chat-lease", .duration, default: "15s",
    meaning: "how long after a replica's last sign of life its users count as online in the chat")

  private static let silence = Setting<Duration>(
    "chat-silence", .duration, default: "60s",
    meaning: "how long a client that is connected to the chat may send nothing before it is disconnected")

  static let settings: [SettingDescription] = [lease.description, silence.description] + PictureSettings.all

  /// What the service's sweep removes for the chat.
  static let expiries: [any ExpiryStatement.Type] = [
    DeleteUnsentPictures.self, DeleteOldQuotas.self, DeleteOldChatQuotas.self, DeleteAbandonedMessages.self,
    DeleteAbandonedConversations.self,
  ]

  /// - Parameter tokens: asked while streams are open whether their tokens are still valid.
  init(_ runtime: Runtime, tokens: (any Authenticator)?) throws {
    let (values, executors) = (runtime.settings, runtime.loops.executors)
    let (database, environment, logger) = (runtime.database, runtime.environment, runtime.logger)
    operations = ChatOperations(events: runtime.events, live: runtime.live, environment: environment)
    let (log, presence) = (MessageLog(), ReplicaPresence(clock: environment.clock))
    let feeds = ConversationFeeds(
      database: database, live: runtime.live, on: executors[executors.count - 1], logger: logger)
    methods = Chat(
      operations, log: log, presence: presence, feeds: feeds, database: database, environment: environment,
      seal: values[SealSettings.key].seal, uploads: try PictureSettings.uploads(runtime), tokens: tokens,
      settings: StreamLimits(silence: values[Self.silence]))
    // In the order in which they start.
    services = [
      PresenceLeases(
        of: presence, database: database, environment: environment, signals: operations.signals,
        lease: values[Self.lease], logger: logger),
      feeds, MessageWorker(emptying: log, operations, database: database, on: executors, logger: logger),
      ChatUpkeep(operations, database: database, logger: logger),
    ]
  }
}
