import Cryptography
import Environment
import Expiry
import Idempotency
import NotesStore
import NotesV1
import Pagination
import ServiceRuntime
import TTRPC

/// A small service that is not part of the suite: tests of the runtime run it as a process of its own, and those of what handlers have in
/// common call it.
@main
struct Notes: TandemService {
  static let service = ServiceDescription(
    name: NotesSchema.name, purpose: "Keeps notes, to be tested", migrations: NotesSchema.migrations,
    settings: [SealSettings.key.description])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let seal = runtime.settings[SealSettings.key].seal
    let (database, environment) = (runtime.database, runtime.environment)
    let handlers = NotesHandlers(
      database: database, environment: environment,
      idempotency: IdempotencyStore(database: database, seal: seal, clock: environment.clock),
      pages: Pages(seal: seal, clock: environment.clock))
    let sweep = ExpirySweep(
      of: [DeleteExpiredIdempotencyKeys.self], database: database, clock: environment.clock, logger: runtime.logger)
    return ServedService(
      services: [handlers], background: [sweep], authenticator: TokenAsName(),
      descriptors: { [FileDescriptors.serialized] })
  }
}

/// Takes any token for the id of the caller.
private struct TokenAsName: Authenticator {
  func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
    Caller(subject: String(token))
  }
}
