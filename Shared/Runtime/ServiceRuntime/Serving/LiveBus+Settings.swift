import Environment
import Live
import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle

/// The configured bus: NATS where the settings name its servers, else the service's database.
func liveBus(
  _ settings: Settings, service: ServiceDescription, environment: Environment, loops: LoopGroup, logger: Logger
) throws(StartupError) -> any LiveBus & Service {
  if var servers = settings[RuntimeSettings.busURL] {
    for place in servers.indices { servers[place].authorities = settings[RuntimeSettings.busAuthorities] }
    return NATSBus(servers, name: "tandem \(service.name)", randomness: environment.randomness, logger: logger)
  }
  do {
    let configuration = DatabaseConfiguration(settings, applicationName: "\(service.name) live")
    return try PostgresBus(
      configuration, on: loops.executors[0], randomness: environment.randomness, logger: logger)
  } catch {
    throw StartupError(usage: "setting database-url: \(error.reachability)")
  }
}
