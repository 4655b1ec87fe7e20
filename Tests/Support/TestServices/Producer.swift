import Events
import Postgres
import ProtobufC
public import ServiceRuntime
import TTRPC
import TandemEvents
public import TestSupport

/// The name of a service of which a test needs only the events.
public protocol ProducerName: Sendable {
  static var name: String { get }
}

/// Publishes sessions and check-ins.
public enum MatchingName: ProducerName {
  /// `matching`.
  public static let name = "matching"
}

/// Publishes logged workouts.
public enum CatalogName: ProducerName {
  /// `catalog`.
  public static let name = "catalog"
}

/// Publishes loans.
public enum LendingName: ProducerName {
  /// `lending`.
  public static let name = "lending"
}

/// Publishes imports and activities.
public enum ImporterName: ProducerName {
  /// `importer`.
  public static let name = "importer"
}

/// A service that publishes the events a test asks for, in the event log that every service has.
public struct Producer<Name: ProducerName>: TandemService {
  /// Has the log, and nothing else.
  public static var service: ServiceDescription {
    ServiceDescription(name: Name.name, purpose: "Tells what happened", migrations: migrations)
  }
  /// What its database needs.
  public static var schema: TestSchema { TestSchema(Name.name, migrations) }

  /// As the command line makes it.
  public init() {}

  private static var migrations: [Migration] {
    [EventsSchema.events(version: 1), EventsSchema.eventsUpkeep(version: 2)]
  }

  /// Serves the method by which tests publish events.
  public static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [ProducerMethods(database: runtime.database, events: runtime.events)])
  }
}

private struct ProducerMethods: RPCService {
  static let serviceName = "test.v1.Producer"
  static let tell = MethodDescriptor(
    service: serviceName, name: "Tell", kind: .unary, access: .service, idempotent: false,
    callers: ["identity", "catalog", "lending"])
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
    case CheckedIn.protobufName: try await publish(CheckedIn.self, event, tx)
    case WorkoutLogged.protobufName: try await publish(WorkoutLogged.self, event, tx)
    case WorkoutLogDeleted.protobufName: try await publish(WorkoutLogDeleted.self, event, tx)
    case BookStatusChanged.protobufName: try await publish(BookStatusChanged.self, event, tx)
    case TrackerImported.protobufName: try await publish(TrackerImported.self, event, tx)
    case ActivityStored.protobufName: try await publish(ActivityStored.self, event, tx)
    case ActivityRemoved.protobufName: try await publish(ActivityRemoved.self, event, tx)
    case NotificationRequested.protobufName: try await publish(NotificationRequested.self, event, tx)
    default: throw Status(.invalidArgument, reason: "TYPE_UNKNOWN", event.type)
    }
  }

  private func publish<E: PublishedEvent>(_ type: E.Type, _ event: Event, _ tx: Transaction) async throws {
    try await events.publish(E(serialized: event.payload), in: tx)
  }
}

extension RunningService {
  /// Calls a ``Producer``, as a service, to publish all of it in one transaction.
  public func tell<E: PublishedEvent>(_ events: [E]) async throws {
    let call = FollowResponse(events: events.map { Event(type: E.protobufName, payload: $0.serialized()) })
    let _: FollowResponse = try await client.call(ProducerMethods.tell, call, CallOptions())
  }
}
