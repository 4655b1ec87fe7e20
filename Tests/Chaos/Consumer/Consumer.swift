import ChaosTables
import Events
import Identifiers
import Postgres
import ServiceRuntime
import TandemEvents

/// A service that records the events that it receives.
@main
struct Consumer: TandemService {
  static let service = ServiceDescription(name: "lending", purpose: "Listens", migrations: ChaosTables.consumers)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let clock = runtime.environment.clock
    let effect = EventHandler(batchesOf: SessionRevoked.self) { events, tx in
      let now = clock.now
      try await tx.execute(
        AddEffects(
          events.map { ($0.key, $0.message.userID, lagMilliseconds: (now - $0.occurredAt) / .milliseconds(1)) }))
    }
    return ServedService(follows: [EventSubscription(of: "catalog", handlers: [effect])])
  }
}
