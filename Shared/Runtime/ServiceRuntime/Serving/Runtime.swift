import Environment
import Events
import Jobs
import Live
import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle
import TTRPC
import Telemetry
import Tracing

/// What a service is built from.
public struct Runtime: Sendable {
  /// What is being built.
  public let service: ServiceDescription
  /// All checked.
  public let settings: Settings
  /// The service's schema; not connected yet and perhaps not migrated.
  public let database: Database
  /// Carries live messages to every replica; it works once the service runs.
  public let live: any LiveBus
  /// Clock, randomness and new ids.
  public let environment: Environment
  /// What schedules jobs: `try await tx.schedule(job, with: runtime.jobs)`.
  public let jobs: Jobs
  /// The event loops that calls run on.
  public let loops: LoopGroup
  /// The service's own logger.
  public let logger: Logger
  /// Where a service adds checks of its own.
  public let readiness: Readiness
  /// Records spans; `nil` when none are. Clients that call from background work are given it, handlers' calls find it by themselves.
  public let tracer: (any Tracer)?
  /// Tells the other services what happens here.
  public let events: Outbox
  let security: TransportSecurity
  let peers: Peers

  /// Calls another service of the suite; `nil` when the settings do not say where it is. Closed when this service stops.
  public func peer(_ service: String) -> (any RPCChannel)? {
    peers.client(of: service)
  }

  /// How a connection to another service of the suite is protected: as the own RPC port, with the own certificate as proof of who calls.
  ///
  /// - Parameter service: the name that the other's certificate must carry.
  public func security(toward service: String) -> RPCClient.Security {
    security.client(toward: service)
  }
}

/// A service, built but not running.
public struct ServedService: Sendable {
  /// What the RPC port answers beside health, reflection and the log of events.
  public var services: [any RPCService]
  /// Long-lived parts, started after the database and before the RPC port, stopped in reverse.
  public var background: [any Service]
  /// What is done about other services' events.
  public var follows: [EventSubscription]
  /// The code of its jobs, by kind; run beside `background`.
  public var jobs: [JobHandler]
  /// Who decides where a call comes from; `nil` leaves it to identity's tokens, and the certificates of services.
  public var authenticator: (any Authenticator)?
  /// Makes the serialized descriptor sets of the services' contracts, for reflection: each module's `FileDescriptors`.
  public var descriptors: @Sendable () -> [[UInt8]]

  /// Names the parts; a service that only answers health has none.
  public init(
    services: [any RPCService] = [], background: [any Service] = [], follows: [EventSubscription] = [],
    jobs: [JobHandler] = [],
    authenticator: (any Authenticator)? = nil, descriptors: @escaping @Sendable () -> [[UInt8]] = { [] }
  ) {
    self.services = services
    self.background = background
    self.follows = follows
    self.jobs = jobs
    self.authenticator = authenticator
    self.descriptors = descriptors
  }
}
