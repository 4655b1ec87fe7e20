import AccountDeletions
import Events
import Expiry
import Idempotency
import ImporterHandlers
import ImporterStore
import ServiceRuntime
import TTRPC
import TandemImporter

/// The `importer` executable: fitness trackers, and what users did.
@main
struct Importer: TandemService {
  static let service = ServiceDescription(
    name: ImporterSchema.name, purpose: "Brings fitness trackers in: connections, imports and activities",
    migrations: ImporterSchema.migrations, settings: [SealSettings.key.description] + FileSettings.all)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil)
  }

  /// - Parameter authenticator: `nil` for identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  static func build(_ runtime: Runtime, authenticator: (any Authenticator)?) throws -> ServedService {
    let activities = Activities(
      database: runtime.database, environment: runtime.environment, seal: runtime.settings[SealSettings.key].seal,
      events: runtime.events, files: try FileSettings.reading(runtime), logger: runtime.logger)
    let sweep = ExpirySweep(
      of: [DeleteExpiredIdempotencyKeys.self], database: runtime.database, clock: runtime.environment.clock,
      logger: runtime.logger)
    return ServedService(
      services: [activities], background: [sweep], follows: [.accountDeletions(ImporterSchema.removals)],
      authenticator: authenticator, descriptors: { [TandemImporter.FileDescriptors.serialized] })
  }
}
