import Events
import ServiceLifecycle
import TTRPC
public import UserTokens

/// What connects a service with the others: its event log, the consumers of theirs, and the authentication of users.
struct ServiceInfrastructure {
  /// Serves the service's events; `nil` when its schema has no event log.
  let log: EventLog?
  /// Authenticates users by identity's tokens; `nil` when no method needs it, or the service has an authenticator of
  /// its own.
  let tokens: IdentityTokens?
  /// In the order of dependence.
  let background: [any Service]

  /// - Throws: when the settings lack something that the service needs.
  init(_ runtime: Runtime, _ served: ServedService) throws(StartupError) {
    let log = Self.log(runtime)
    let tokens = try Self.tokens(runtime, served)
    let consumers = Self.consumers(runtime, served.follows)
    let retention = log.map { log in
      EventRetention(
        of: log, kept: runtime.settings[EventSettings.kept],
        consumerTimeout: runtime.settings[EventSettings.consumerTimeout],
        logger: runtime.logger)
    }
    self.log = log
    self.tokens = tokens
    var background: [any Service] = [runtime.peers]
    if let retention { background.append(retention) }
    if let tokens { background.append(tokens) }
    self.background = background + consumers
  }

  private static func log(_ runtime: Runtime) -> EventLog? {
    guard runtime.service.tellsEvents else { return nil }
    return EventLog(
      of: runtime.service.name, database: runtime.database, live: runtime.live, clock: runtime.environment.clock,
      logger: runtime.logger)
  }

  private static func tokens(_ runtime: Runtime, _ served: ServedService) throws(StartupError) -> IdentityTokens? {
    guard served.authenticator == nil, Router(served.services).descriptors.contains(where: { $0.access == .user })
    else { return nil }
    return try runtime.identityTokens()
  }

  private static func consumers(_ runtime: Runtime, _ plans: [EventSubscription]) -> [any Service] {
    plans.compactMap { plan in
      guard let channel = runtime.peer(plan.producer) else {
        runtime.logger.warning(
          "a service's events are not followed", metadata: ["missing_setting": "\(plan.producer)-address"])
        return nil
      }
      return EventConsumer(
        plan, for: runtime.service.name, through: channel, database: runtime.database, clock: runtime.environment.clock,
        logger: runtime.logger)
    }
  }
}

extension Runtime {
  /// Authenticates users by identity's tokens. A service makes it by itself where it needs it beside the authentication of calls; then it is
  /// the first of its `background` and its `authenticator`. The service is not ready before it is.
  ///
  /// - Throws: when the settings lack identity's address.
  public func identityTokens() throws(StartupError) -> IdentityTokens {
    guard let channel = peer("identity") else {
      throw StartupError(
        usage:
          "setting identity-address is not set, and methods for users need it: give --identity-address or TANDEM_IDENTITY_ADDRESS"
      )
    }
    let tokens = IdentityTokens(through: channel, clock: environment.clock, logger: logger)
    readiness.add("access tokens") { tokens.unhealthyReason }
    return tokens
  }
}

extension ServiceDescription {
  /// Whether its schema has a log of events.
  var tellsEvents: Bool { migrations.contains { $0.name == EventsSchema.name } }
}
