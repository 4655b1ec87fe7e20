import Events
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestServices
import TestSupport

/// A service of the suite that has people told something: whoever calls it decides what.
struct Teller: TandemService {
  static let service = ServiceDescription(name: "lending", purpose: "Tells", migrations: migrations)
  static let schema = TestSchema("lending", migrations)

  private static let migrations = [EventsSchema.migration(version: 1)]

  static let tell = MethodDescriptor(
    service: "test.v1.Teller", name: "Tell", kind: .unary, access: .service, idempotent: false)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [TellerMethods(database: runtime.database, events: runtime.events)])
  }
}

private struct TellerMethods: RPCService {
  static let serviceName = "test.v1.Teller"
  let database: Database
  let events: Outbox

  func register(in router: inout Router) {
    router.unary(Teller.tell) { (call: NotificationRequested, _: CallContext) async throws -> NotificationRequested in
      try await database.repeatableTransaction { tx in try await events.publish(call, in: tx) }
      return call
    }
  }
}

extension RunningService {
  /// Has people told something by the service, with its next event.
  func tell(
    _ news: NotificationRequested.News?, to recipients: [String], because key: String, about subject: String = ""
  ) async throws {
    let call = NotificationRequested(
      notificationKey: key, recipientIds: recipients, subject: subject, news: news)
    let _: NotificationRequested = try await client.call(Teller.tell, call, CallOptions())
  }
}
