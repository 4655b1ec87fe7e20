import ChaosTables
import Events
import Identifiers
import Postgres
import ServiceRuntime
import TandemEvents

/// A service that notes what it is told.
@main
struct Listener: TandemService {
  static let service = ServiceDescription(name: "lending", purpose: "Listens", migrations: ChaosTables.listeners)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let clock = runtime.ambient.clock
    let effect = EventEffect(of: SessionRevoked.self) { event, tx in
      let lag = (clock.now - event.occurredAt) / .milliseconds(1)
      try await tx.execute(AddEffect(key: event.key, value: event.message.userID, lagMilliseconds: lag))
    }
    return ServedService(follows: [ConsumerPlan(of: "catalog", effects: [effect])])
  }
}
