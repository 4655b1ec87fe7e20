import ChatHandlers
import Events
import Expiry
import PictureSettings
import Pictures
import ServiceLifecycle
import ServiceRuntime
import TrackingStore
import UserTokens

/// The chat that this service hosts.
struct HostedChat {
  let methods: Chat
  let membership: ConversationMembership
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

  /// - Parameter streamTokens: ends streams whose tokens are no longer valid.
  init(_ runtime: Runtime, streamTokens: StreamTokens) throws {
    let values = runtime.settings
    let parts = ChatParts(
      database: runtime.database, environment: runtime.environment, live: runtime.live, events: runtime.events,
      on: runtime.loops.executors, lease: values[Self.lease], logger: runtime.logger)
    methods = Chat(
      database: runtime.database, environment: runtime.environment, seal: values[SealSettings.key].seal, parts: parts,
      uploads: try PictureSettings.uploads(runtime), streamTokens: streamTokens,
      settings: StreamLimits(silence: values[Self.silence]))
    membership = ConversationMembership(signals: parts.signals, clock: runtime.environment.clock)
    services = parts.services
  }
}
