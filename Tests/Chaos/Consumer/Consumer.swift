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
    let effect = EventHandler(of: SessionRevoked.self) { event, tx in
      let lag = (clock.now - event.occurredAt) / .milliseconds(1)
      try await tx.execute(AddEffect(key: event.key, value: event.message.userID, lagMilliseconds: lag))
    }
    return ServedService(follows: [EventSubscription(of: "catalog", handlers: [effect])])
  }
}
