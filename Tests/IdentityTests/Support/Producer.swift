import Events
import Identifiers
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestServices
import TestSupport
import Testing

/// A service of the suite of which the tests need the events alone.
protocol ProducerName: Sendable {
  static var name: String { get }
}

enum MatchingName: ProducerName { static let name = "matching" }
enum LendingName: ProducerName { static let name = "lending" }
enum ImporterName: ProducerName { static let name = "importer" }

/// A service that tells what it is asked to tell, by the log of events that every service has.
struct Producer<Name: ProducerName>: TandemService {
  static var service: ServiceDescription {
    ServiceDescription(name: Name.name, purpose: "Tells what happened", migrations: migrations)
  }
  static var schema: TestSchema { TestSchema(Name.name, migrations) }

  private static var migrations: [Migration] { [EventsSchema.migration(version: 1)] }

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [ProducerMethods(database: runtime.database, events: runtime.events)])
  }
}

private struct ProducerMethods: RPCService {
  static let serviceName = "test.v1.Producer"
  static let tell = MethodDescriptor(
    service: serviceName, name: "Tell", kind: .unary, access: .service, idempotent: false)
  let database: Database
  let events: Outbox

  func register(in router: inout Router) {
    router.unary(Self.tell) { (call: FollowResponse, _: CallContext) async throws -> FollowResponse in
      try await database.repeatableTransaction { tx in
        for event in call.events { try await publish(event, in: tx) }
      }
      return FollowResponse()
    }
  }

  private func publish(_ event: Event, in tx: Transaction) async throws {
    switch event.type {
    case SessionSucceeded.protobufName: try await publish(SessionSucceeded.self, event, tx)
    case BookStatusChanged.protobufName: try await publish(BookStatusChanged.self, event, tx)
    case TrackerImported.protobufName: try await publish(TrackerImported.self, event, tx)
    case ActivityStored.protobufName: try await publish(ActivityStored.self, event, tx)
    case ActivityRemoved.protobufName: try await publish(ActivityRemoved.self, event, tx)
    default: throw Status(.invalidArgument, reason: "TYPE_UNKNOWN", event.type)
    }
  }

  private func publish<E: PublishedEvent>(_ type: E.Type, _ event: Event, _ tx: Transaction) async throws {
    try await events.publish(E(serialized: event.payload), in: tx)
  }
}

extension RunningService {
  /// Has a ``Producer`` tell all of it in one transaction.
  func tell<E: PublishedEvent>(_ events: [E]) async throws {
    let call = FollowResponse(events: events.map { Event(type: E.protobufName, payload: $0.serialized()) })
    let _: FollowResponse = try await client.call(ProducerMethods.tell, call, CallOptions())
  }
}

/// An id like any other.
func someID(_ number: Int) -> String {
  UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)).description
}
