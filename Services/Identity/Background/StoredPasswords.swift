import Cryptography
import IdentityStore
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import Synchronization

/// Makes a login with an unknown name cost as much as one with a known name, whatever parameters the stored hashes have
/// ([ID-5]).
package final class StoredPasswords: Service {
  private let database: Database
  private let passwords: PasswordHasher
  private let logger: Logger
  /// Whether the hashes have been examined, which readiness requires.
  private let isKnown = Mutex(false)

  /// Parameters change with a new version of the service, and then hash by hash as users log in.
  private static let pollInterval: Duration = .seconds(3_600)
  /// The number of accounts that are sampled: enough to know a share to one percent, and few enough to be fast.
  private static let sample = 20_000.0

  /// Examines the stored hashes in `database` for `passwords` to imitate.
  package init(of passwords: PasswordHasher, in database: Database, logger: Logger) {
    self.database = database
    self.passwords = passwords
    self.logger = logger
  }

  /// Why the service is not ready; `nil` once the hashes have been examined.
  package var unhealthyReason: String? {
    isKnown.withLock { $0 } ? nil : "the stored passwords have not been looked at yet"
  }

  /// Examines the hashes periodically until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.pollInterval, logger, "the stored passwords could not be looked at") { _ in
      let accounts = try await self.database.first(EstimatedAccounts()) ?? 0
      let percent = accounts > Self.sample ? 100 * Self.sample / accounts : 100
      let found = try await self.database.rows(PasswordParameterCounts(percent: percent))
      self.passwords.imitate(
        found.compactMap { one in ScryptParameters(phc: one.parameters).map { ($0, Int(one.count)) } })
      self.isKnown.withLock { $0 = true }
    }
  }
}
