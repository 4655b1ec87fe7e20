import Environment
import Events
import Jobs
import Live
import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle
import TTRPC
import TTRPCClient
import Telemetry
import Tracing

/// What a service is built from.
public struct Runtime: Sendable {
  public let service: ServiceDescription
  /// The validated settings.
  public let settings: Settings
  /// The database of the service's schema; not connected yet and perhaps not migrated.
  public let database: Database
  /// The bus for live messages to every replica; it works once the service runs.
  public let live: any LiveBus
  /// Clock, randomness and new ids.
  public let environment: Environment
  /// For scheduling jobs: `try await tx.schedule(job, with: runtime.jobs)`.
  public let jobs: Jobs
  /// The event loops that calls run on.
  public let loops: LoopGroup
  /// The service's own logger.
  public let logger: Logger
  /// The readiness checks, to which a service adds its own.
  public let readiness: Readiness
  /// Records spans; `nil` when tracing is off. Pass it to clients that call from background work; handlers' calls use
  /// it by themselves.
  public let tracer: (any Tracer)?
  /// Publishes the service's events.
  public let events: Outbox
  let security: TransportSecurity
  let peers: Peers

  /// The channel to another service of the suite; `nil` when the settings do not have its address. Closed when this
  /// service stops.
  public func peer(_ service: String) -> (any RPCChannel)? {
    peers.client(of: service)
  }

  /// How a connection to another service of the suite is protected: like this service's RPC port, with this service's
  /// certificate.
  ///
  /// - Parameter service: the name that the other service's certificate must have.
  public func security(toward service: String) -> RPCClient.Security {
    security.client(toward: service)
  }
}

/// A service that was built and is not running yet.
public struct ServedService: Sendable {
  /// The services of the RPC port beside health, reflection and the event log.
  public var services: [any RPCService]
  /// Long-lived parts, started after the database and before the RPC port, stopped in reverse.
  public var background: [any Service]
  /// The subscriptions to other services' events.
  public var follows: [EventSubscription]
  /// The handlers of its jobs, by kind; run beside `background`.
  public var jobs: [JobHandler]
  /// Authenticates the callers; `nil` leaves it to identity's tokens and the certificates of services.
  public var authenticator: (any Authenticator)?
  /// Makes the serialized descriptor sets of the services' contracts, for reflection: each module's `FileDescriptors`.
  public var descriptors: @Sendable () -> [[UInt8]]

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
