import IdentityOperations
import Logging
import PeriodicTask
import ServiceLifecycle

/// Makes the signing keys that are due, removes those that are over, and follows what other replicas do with them.
package struct SigningKeyFollowing: Service {
  private let keyring: SigningKeyring
  private let interval: Duration
  private let logger: Logger

  /// - Parameter interval: how often keys of other replicas are looked up: seldom enough to cost nothing, and often within the time for which a
  ///   key is published before it signs.
  package init(of keyring: SigningKeyring, every interval: Duration = .seconds(60), logger: Logger) {
    (self.keyring, self.interval, self.logger) = (keyring, interval, logger)
  }

  package func run() async {
    await repeatUntilShutdown(every: interval, logger, "the signing keys could not be looked up") { _ in
      try await keyring.look()
    }
  }
}
