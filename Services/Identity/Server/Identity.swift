import Cryptography
import Idempotency
import IdentityHandlers
import IdentityMail
import IdentityPasskeys
import IdentityStore
import Images
import Metrics
import Pictures
import Postgres
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
    return try build(runtime, passwords: PasswordHasher(observe: { _ in hashes.increment() }))
  }

  /// The service that checks passwords by `passwords`: tests that are not about passwords take cheap ones.
  static func build(_ runtime: Runtime, passwords: PasswordHasher) throws -> ServedService {
    let (database, ambient, logger) = (runtime.database, runtime.ambient, runtime.logger)
    let seal = runtime.settings[SealSettings.key].seal
    let tokens = AccessTokens(ambient: ambient)
    let endedSessions = EndedSessions(
      database: database, tokens: tokens, events: runtime.events, clock: ambient.clock, logger: logger)
    let pushGateway = try IdentitySettings.pushGateway(
      runtime.settings, on: runtime.loops.eventLoops, clock: ambient.clock)
    let posting = Posting(
      database: database, mailer: try IdentitySettings.mailer(runtime.settings, clock: ambient.clock),
      pushGateway: pushGateway, letters: letters(runtime.settings, seal), ambient: ambient, logger: logger)
    let accounts = Accounts(
      database: database, ambient: ambient, seal: seal, passwords: passwords, tokens: tokens,
      endedSessions: endedSessions, events: runtime.events, deliveryRoom: posting.deliveryRoom)
    let timeZones = TimeZones(database: database, logger: logger)
    let profiles = Profiles(
      database: database, ambient: ambient, seal: seal, timeZones: timeZones, uploads: try uploads(runtime))
    let passkeys = Passkeys(
      database: database, ambient: ambient, seal: seal, tokens: tokens, relyingParty: relyingParty(runtime.settings))
    let notifications = Notifications(
      database: database, ambient: ambient, seal: seal, tokens: tokens, inboxes: posting.inboxes)
    runtime.readiness.add("access tokens") { tokens.complaint }
    runtime.readiness.add("time zones") { timeZones.complaint }
    return ServedService(
      services: [accounts, profiles, notifications, passkeys],
      background: [
        SigningKeyring(database: database, seal: seal, ambient: ambient, tokens: tokens, logger: logger),
        endedSessions, timeZones,
      ] + (pushGateway.map { [$0] } ?? []) + posting.background + [
        Sweeper(database: database, clock: ambient.clock, logger: logger),
        ReplaySweep(database: database, clock: ambient.clock, logger: logger),
      ],
      authenticator: tokens,
      descriptors: [TandemIdentity.FileDescriptors.serialized, TandemNotification.FileDescriptors.serialized])
  }

  private static func uploads(_ runtime: Runtime) throws(StartRefusal) -> PictureUploads {
    let settings = runtime.settings
    let decoder = ImageDecoder(
      program: try IdentitySettings.imageDecoderProgram(settings), decoders: settings[IdentitySettings.imageDecoders],
      places: 64, timeLimit: settings[IdentitySettings.imageTimeout])
    return PictureUploads(
      database: runtime.database, clock: runtime.ambient.clock, decoder: decoder,
      timeLimit: settings[IdentitySettings.uploadTimeout])
  }

  private static func relyingParty(_ settings: Settings) -> RelyingParty {
    RelyingParty(
      id: settings[IdentitySettings.passkeyDomain], name: settings[IdentitySettings.passkeyName],
      origins: settings[IdentitySettings.passkeyOrigins])
  }

  private static func letters(_ settings: Settings, _ seal: Seal) -> Letters {
    Letters(
      verifyURL: settings[IdentitySettings.publicURL], unsubscribeURL: settings[IdentitySettings.unsubscribeURL],
      seal: seal)
  }
}
