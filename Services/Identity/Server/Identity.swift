import Cryptography
import Expiry
import Idempotency
import IdentityHandlers
import IdentityMail
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

/// The `identity` executable: people, their credentials, sessions and profiles.
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
      workers: LoopGroup.usableCores, decoyKey: decoyKey, observe: { _ in hashes.increment() })
    return try build(runtime, passwords: passwords)
  }

  /// The service that checks passwords by `passwords`: tests that are not about passwords take cheap ones.
  ///
  /// - Parameters:
  ///   - inboxLook: how long a notification may stay unnoticed of which the bus told nothing.
  ///   - keyLook: how long a key that another replica made may stay unnoticed.
  ///   - willLook: is waited for before each look for sessions that ended elsewhere.
  static func build(
    _ runtime: Runtime, passwords: PasswordHasher, inboxLook: Duration = .seconds(2), keyLook: Duration = .seconds(60),
    willLookForEndedSessions willLook: @escaping @Sendable () async -> Void = {}
  ) throws -> ServedService {
    let (database, ambient, logger) = (runtime.database, runtime.ambient, runtime.logger)
    let seal = runtime.settings[SealSettings.key].seal
    let tokens = AccessTokens(ambient: ambient)
    let keyring = SigningKeyring(
      database: database, seal: seal, ambient: ambient, tokens: tokens, logger: logger, pollInterval: keyLook)
    let endedSessions = EndedSessions(
      database: database, tokens: tokens, events: runtime.events, ambient: ambient, logger: logger,
      willLook: willLook)
    let pushGateway = try IdentitySettings.pushGateway(
      runtime.settings, on: runtime.loops.eventLoops, clock: ambient.clock)
    let pushTokens = PushTokens(seal: seal)
    let inboxes = InboxWatch(database: database, live: runtime.live, slowLook: inboxLook, logger: logger)
    let posting = Posting(
      database: database, mailer: try IdentitySettings.mailer(runtime.settings, clock: ambient.clock),
      pushGateway: pushGateway, letters: letters(runtime.settings, seal), pushTokens: pushTokens, inboxes: inboxes,
      ambient: ambient, logger: logger)
    let timetable = ReminderTimetable(jobs: runtime.jobs)
    let accounts = Accounts(
      database: database, ambient: ambient, seal: seal, passwords: passwords, tokens: tokens,
      endedSessions: endedSessions, events: runtime.events, deliveryRoom: posting.deliveryRoom,
      timetable: timetable, jobs: runtime.jobs, resetAnswer: runtime.settings[IdentitySettings.resetAnswer],
      judges: runtime.settings[IdentitySettings.passwordJudges], policies: ThrottleSettings.policies(runtime.settings))
    let timeZones = TimeZones(database: database, logger: logger)
    let storedPasswords = StoredPasswords(of: passwords, in: database, logger: logger)
    let profiles = Profiles(
      database: database, ambient: ambient, seal: seal, timeZones: timeZones, timetable: timetable,
      uploads: try PictureSettings.uploads(runtime))
    let (federatedLogins, providerClients) = try federation(runtime, tokens, posting.deliveryRoom)
    let passkeys = Passkeys(
      database: database, ambient: ambient, seal: seal, tokens: tokens, relyingParty: relyingParty(runtime.settings),
      waysIn: federatedLogins.waysIn, policies: ThrottleSettings.policies(runtime.settings))
    let notifications = Notifications(
      database: database, ambient: ambient, seal: seal, tokens: tokens, inboxes: inboxes, timetable: timetable)
    let directory = Directory(database: database, ambient: ambient, seal: seal)
    let safety = Safety(database: database, ambient: ambient, seal: seal, events: runtime.events)
    let groups = Groups(
      database: database, ambient: ambient, seal: seal, events: runtime.events, notifier: posting.notifier)
    let operators = Operators(
      database: database, ambient: ambient, seal: seal, events: runtime.events, endedSessions: endedSessions,
      timetable: timetable, keyring: keyring)
    runtime.readiness.add("access tokens") { tokens.complaint }
    runtime.readiness.add("time zones") { timeZones.complaint }
    runtime.readiness.add("stored passwords") { storedPasswords.complaint }
    return ServedService(
      services: [
        accounts, profiles, directory, notifications, passkeys, federatedLogins, safety, groups, operators,
        Badges(database: database),
      ],
      background: [
        keyring, endedSessions, timeZones, storedPasswords,
      ] + providerClients + (pushGateway.map { [$0] } ?? []) + posting.background + [
        ExpirySweep(of: IdentitySchema.expiries, database: database, clock: ambient.clock, logger: logger),
        PushTokenRenewal(of: pushTokens, in: database, logger: logger),
      ],
      follows: RequestedNotices(notifier: posting.notifier, logger: logger).plans
        + BadgeAwards(notifier: posting.notifier, clock: ambient.clock, logger: logger).plans,
      jobs: [ReminderTimetable.giving(by: posting.notifier, clock: ambient.clock), accounts.resetMails],
      authenticator: tokens,
      descriptors: { [TandemIdentity.FileDescriptors.serialized, TandemNotification.FileDescriptors.serialized] })
  }

  /// Logging in by providers, and what has to run for it: nothing where there are none.
  private static func federation(
    _ runtime: Runtime, _ tokens: AccessTokens, _ deliveryRoom: DeliveryRoom
  ) throws(StartRefusal) -> (FederatedLogins, [any Service]) {
    let (settings, ambient) = (runtime.settings, runtime.ambient)
    let client = try IdentitySettings.providerClient(settings, on: runtime.loops.eventLoops, clock: ambient.clock)
    let providers = try IdentitySettings.federatedProviders(settings, through: client, clock: ambient.clock)
    let logins = FederatedLogins(
      database: runtime.database, ambient: ambient, seal: settings[SealSettings.key].seal, tokens: tokens,
      events: runtime.events, deliveryRoom: deliveryRoom, providers: providers,
      redirectURIs: settings[IdentitySettings.providerRedirectURIs], policies: ThrottleSettings.policies(settings),
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
      unsubscribeURL: settings[IdentitySettings.unsubscribeURL], seal: seal)
  }
}
