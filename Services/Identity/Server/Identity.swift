import Cryptography
import Expiry
import Idempotency
import IdentityBackground
import IdentityConsumers
import IdentityDomain
import IdentityHandlers
import IdentityMail
import IdentityOperations
import IdentityPasskeys
import IdentityStore
import LoopExecutor
import Metrics
import PictureSettings
import Pictures
import Postgres
import ServiceLifecycle
import ServiceRuntime
import TandemIdentity
import TandemNotification

/// The `identity` executable: users, their credentials, sessions and profiles.
@main
struct Identity: TandemService {
  static let service = ServiceDescription(
    name: IdentitySchema.name,
    purpose: "Knows people: accounts, sessions, profiles, and what they are told by inbox, mail and push",
    migrations: IdentitySchema.migrations, settings: IdentitySettings.all,
    metrics: [
      "identity_password_hashes":
        "Passwords hashed, for a login or for a new password: each is tens of milliseconds of a core."
    ])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let hashes = Counter(label: "identity_password_hashes")
    let decoyKey = runtime.settings[SealSettings.key].seal.derivedKey(for: "decoys of passwords")
    let passwords = PasswordHasher(
      cost(runtime.settings), workers: LoopGroup.usableCores, decoyKey: decoyKey,
      observe: { _ in hashes.increment() })
    return try build(runtime, passwords: passwords)
  }

  /// Tests that move the clock make users by the dozen, whose passwords protect nothing.
  private static func cost(_ settings: Settings) -> ScryptParameters {
    settings[RuntimeSettings.developmentClock] == nil ? .owasp : .cheapForTests
  }

  /// Builds the service with `passwords`; most tests use a hasher with low cost.
  ///
  /// - Parameters:
  ///   - inboxLook: the longest time until a notification that the bus did not signal is found.
  ///   - keyLook: the longest time until a key of another replica is found.
  ///   - willLook: awaited before each poll for sessions that ended elsewhere.
  static func build(
    _ runtime: Runtime, passwords: PasswordHasher, inboxLook: Duration = .seconds(2), keyLook: Duration = .seconds(60),
    willLookForEndedSessions willLook: @escaping @Sendable () async -> Void = {}
  ) throws -> ServedService {
    let (database, environment, logger) = (runtime.database, runtime.environment, runtime.logger)
    let seal = runtime.settings[SealSettings.key].seal
    let tokens = AccessTokens(environment: environment)
    let keyring = SigningKeyring(
      database: database, seal: seal, environment: environment, tokens: tokens, logger: logger)
    let endedSessions = EndedSessions(
      database: database, tokens: tokens, events: runtime.events, environment: environment)
    let pushGateway = try IdentitySettings.pushGateway(
      runtime.settings, on: runtime.loops.eventLoops, clock: environment.clock)
    let pushTokens = PushTokens(seal: seal)
    let inboxes = InboxWatch(database: database, live: runtime.live, slowLook: inboxLook, logger: logger)
    let delivery = NotificationDelivery(
      database: database, mailer: try IdentitySettings.mailer(runtime.settings, clock: environment.clock),
      pushGateway: pushGateway, letters: letters(runtime.settings, seal), pushTokens: pushTokens,
      inboxes: InboxSignalling(live: runtime.live),
      environment: environment, logger: logger)
    let reminders = ReminderScheduler(jobs: runtime.jobs)
    let (federatedLogins, providerClients) = try federation(runtime, tokens, endedSessions, delivery)
    let (policies, resetAnswer) = (
      ThrottleSettings.policies(runtime.settings), runtime.settings[IdentitySettings.resetAnswer]
    )
    let accounts = Accounts(
      database: database, environment: environment, seal: seal, passwords: passwords, tokens: tokens,
      endedSessions: endedSessions, events: runtime.events, deliveries: delivery.deliveryWorker,
      reminders: reminders, jobs: runtime.jobs, resetAnswer: resetAnswer,
      judges: runtime.settings[IdentitySettings.passwordJudges], loginMethods: federatedLogins.loginMethods,
      reservedUsernames: ReservedUsernames(runtime.settings[IdentitySettings.reservedUsernames]),
      policies: policies, notifier: delivery.notifier)
    let resetMails = ResetMails(
      environment: environment, deliveries: delivery.deliveryWorker,
      throttles: Throttles(database: database, clock: environment.clock, policies: policies), answer: resetAnswer)
    let timeZones = TimeZones(database: database)
    let storedPasswords = StoredPasswords(of: passwords, in: database, logger: logger)
    let profiles = Profiles(
      database: database, environment: environment, seal: seal, timeZones: timeZones, reminders: reminders,
      uploads: try PictureSettings.uploads(runtime), events: runtime.events)
    let passkeys = Passkeys(
      database: database, environment: environment, seal: seal, tokens: tokens, endedSessions: endedSessions,
      relyingParty: relyingParty(runtime.settings),
      loginMethods: federatedLogins.loginMethods, deliveries: delivery.deliveryWorker,
      policies: policies)
    let notifications = Notifications(
      database: database, environment: environment, seal: seal, tokens: tokens, inboxes: inboxes, reminders: reminders)
    let directory = Directory(database: database, environment: environment, seal: seal)
    let throttles = Throttles(database: database, clock: environment.clock)
    let safetyOperations = SafetyOperations(environment: environment, events: runtime.events, throttles: throttles)
    let groupOperations = GroupOperations(
      database: database, environment: environment, events: runtime.events, notifier: delivery.notifier,
      throttles: throttles, safety: safetyOperations)
    let safety = Safety(database: database, environment: environment, seal: seal, operations: safetyOperations)
    let groups = Groups(database: database, environment: environment, seal: seal, operations: groupOperations)
    let invitations = Invitations(
      database: database, environment: environment, seal: seal, operations: groupOperations)
    let operators = Operators(
      database: database, environment: environment, seal: seal, events: runtime.events, endedSessions: endedSessions,
      reminders: reminders, keyring: keyring)
    IdentitySettings.expectDelivery(runtime)
    runtime.readiness.add("access tokens") { tokens.unhealthyReason }
    runtime.readiness.add("time zones") { timeZones.unhealthyReason }
    runtime.readiness.add("stored passwords") { storedPasswords.unhealthyReason }
    return ServedService(
      services: [
        accounts, profiles, directory, notifications, passkeys, federatedLogins, safety, groups, invitations,
        operators,
        Badges(database: database),
      ],
      background: [
        SigningKeyFollowing(of: keyring, every: keyLook, logger: logger),
        EndedSessionsFollowing(of: endedSessions, logger: logger, willLook: willLook),
        TimeZoneReading(of: timeZones, logger: logger), storedPasswords,
      ] + providerClients + (pushGateway.map { [$0] } ?? []) + [delivery.deliveryWorker, inboxes] + [
        ExpirySweep(of: IdentitySchema.expiries, database: database, clock: environment.clock, logger: logger),
        PushTokenRenewal(of: pushTokens, in: database, logger: logger),
      ],
      follows: RequestedNotices(notifier: delivery.notifier, logger: logger).subscriptions
        + BadgeAwards(notifier: delivery.notifier, clock: environment.clock, logger: logger).subscriptions,
      jobs: [GymReminders(notifier: delivery.notifier, clock: environment.clock).handler, resetMails.handler],
      authenticator: tokens,
      descriptors: { [TandemIdentity.FileDescriptors.serialized, TandemNotification.FileDescriptors.serialized] })
  }

  /// The methods for logins by providers, and their background services: none without a provider.
  private static func federation(
    _ runtime: Runtime, _ tokens: AccessTokens, _ endedSessions: EndedSessions, _ delivery: NotificationDelivery
  ) throws(StartupError) -> (FederatedLogins, [any Service]) {
    let (settings, environment) = (runtime.settings, runtime.environment)
    let client = try IdentitySettings.providerClient(settings, on: runtime.loops.eventLoops, clock: environment.clock)
    let providers = try IdentitySettings.federatedProviders(settings, through: client, clock: environment.clock)
    let logins = FederatedLogins(
      database: runtime.database, environment: environment, seal: settings[SealSettings.key].seal, tokens: tokens,
      endedSessions: endedSessions, events: runtime.events, deliveries: delivery.deliveryWorker,
      providers: providers,
      redirectURIs: settings[IdentitySettings.providerRedirectURIs],
      reservedUsernames: ReservedUsernames(settings[IdentitySettings.reservedUsernames]),
      policies: ThrottleSettings.policies(settings), notifier: delivery.notifier,
      logger: runtime.logger)
    return (logins, providers.isEmpty ? [] : [client])
  }

  private static func relyingParty(_ settings: Settings) -> RelyingParty {
    RelyingParty(
      id: settings[IdentitySettings.passkeyDomain], name: settings[IdentitySettings.passkeyName],
      origins: settings[IdentitySettings.passkeyOrigins])
  }

  private static func letters(_ settings: Settings, _ seal: Seal) -> Letters {
    Letters(
      verifyURL: settings[IdentitySettings.publicURL], resetURL: settings[IdentitySettings.resetURL],
      emailChangeURL: settings[IdentitySettings.emailChangeURL], emailUndoURL: settings[IdentitySettings.emailUndoURL],
      unsubscribeURL: settings[IdentitySettings.unsubscribeURL], seal: seal)
  }
}
