import Cryptography
import Idempotency
import IdentityHandlers
import IdentityMail
import IdentityStore
import Metrics
import Postgres
import ServiceRuntime
import TandemIdentity

/// The `identity` executable: people, their credentials, sessions and profiles.
@main
struct Identity: TandemService {
  static let service = ServiceDescription(
    name: IdentitySchema.name, purpose: "Knows people: accounts, sessions, profiles, and the mail to them",
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
    let endedSessions = EndedSessions(database: database, tokens: tokens, logger: logger)
    let mailRoom = MailRoom(
      database: database, mailer: try IdentitySettings.mailer(runtime.settings, clock: ambient.clock),
      letter: VerificationLetter(link: runtime.settings[IdentitySettings.publicURL]), ambient: ambient, logger: logger)
    let accounts = Accounts(
      database: database, ambient: ambient, seal: seal, passwords: passwords, tokens: tokens,
      endedSessions: endedSessions, mailRoom: mailRoom)
    let timeZones = TimeZones(database: database, logger: logger)
    let profiles = Profiles(database: database, clock: ambient.clock, seal: seal, timeZones: timeZones)
    runtime.readiness.add("access tokens") { tokens.complaint }
    runtime.readiness.add("time zones") { timeZones.complaint }
    return ServedService(
      services: [accounts, profiles],
      background: [
        SigningKeyring(database: database, seal: seal, ambient: ambient, tokens: tokens, logger: logger),
        endedSessions, timeZones, mailRoom, Sweeper(database: database, clock: ambient.clock, logger: logger),
        ReplaySweep(database: database, clock: ambient.clock, logger: logger),
      ],
      authenticator: tokens, descriptors: [FileDescriptors.serialized])
  }
}
