import Events
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestSupport

/// Tells who checked in, as matching does: whoever calls it decides.
struct CheckInTeller: TandemService {
  static let service = ServiceDescription(name: "matching", purpose: "Tells", migrations: migrations)
  static let schema = TestSchema("matching", migrations)

  private static let migrations = [EventsSchema.migration(version: 1)]

  static let tell = MethodDescriptor(
    service: "test.v1.CheckInTeller", name: "Tell", kind: .unary, access: .service, idempotent: false)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [Methods(database: runtime.database, events: runtime.events)])
  }

  private struct Methods: RPCService {
    static let serviceName = "test.v1.CheckInTeller"
    let database: Database
    let events: Outbox

    func register(in router: inout Router) {
      router.unary(CheckInTeller.tell) { (call: CheckedIn, _: CallContext) async throws -> CheckedIn in
        try await database.repeatableTransaction { tx in try await events.publish(call, in: tx) }
        return call
      }
    }
  }
}
