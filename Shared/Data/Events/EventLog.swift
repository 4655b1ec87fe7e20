public import Environment
import Identifiers
public import Live
public import Logging
public import Postgres
public import TTRPC
public import TandemEvents

/// Serves `tandem.events.v1.EventLog`: sends a service's events to its followers.
public struct EventLog: EventLogService {
  let service: String
  let database: Database
  let live: any LiveBus
  let channel: LiveChannel
  let clock: any WallClock
  let pace: EventPace
  private let epochs: EventEpochs
  let connected = ConnectedConsumers()

  public init(
    of service: String, database: Database, live: any LiveBus, clock: any WallClock, pace: EventPace = EventPace(),
    logger: Logger
  ) {
    self.service = service
    self.database = database
    self.live = live
    self.clock = clock
    self.pace = pace
    epochs = EventEpochs(of: database, logger: logger)
    channel = .events(of: service)
  }

  /// Sends events until the client ends the call.
  public func follow(
    _ requests: MessageStream<FollowRequest>, _ responses: MessageWriter<FollowResponse>, _ context: CallContext
  ) async throws {
    var first = requests.makeAsyncIterator()
    guard case .subscription(let subscription)? = try await first.next()?.step else {
      throw Status.subscriptionRequired
    }
    let wanted = try WantedEvents(subscription, caller: context.caller?.subject ?? "", of: service)
    let stream = EventStream(log: self, wanted: wanted, responses: responses)
    try await connected.with(wanted.consumer) {
      try await stream.run(requests, from: try await start(of: wanted))
    }
  }

  /// The position before the first event to send, stored for a consumer that has a position.
  ///
  /// - Throws: FAILED_PRECONDITION `EVENTS_GONE`.
  private func start(of wanted: WantedEvents) async throws -> EventPosition {
    let now = clock.now
    // A database that was replaced under a running service is noticed here too: its followers lost their connections
    // with it.
    try await epochs.check()
    return try await database.transaction { tx in
      // Until the transaction ends nothing is removed, and afterwards nothing that the consumer still needs.
      guard let bounds = try await tx.first(LogBounds(position: wanted.start.position)) else { throw Status.eventsGone }
      let position: EventPosition
      switch wanted.start {
      case .after(let last):
        // A position behind the end comes from another database, whose numbers mean nothing here.
        guard last >= bounds.removed, last.transactionID <= bounds.end, !bounds.isLost else { throw Status.eventsGone }
        position = last
      case .oldest: position = bounds.removed
      case .newest:
        position = .before(bounds.horizon)
        try await tx.execute(NoteTold(position: position))
      case .recent(let time):
        let first = try await tx.first(FirstRecentEvent(topics: wanted.topics, since: now - time))
        position =
          first.map { EventPosition(transactionID: $0.transactionID, id: $0.id - 1) } ?? .before(bounds.horizon)
      }
      if let consumer = wanted.consumer {
        try await tx.execute(PutConsumer(consumer: consumer, position: position))
      }
      return position
    }
  }
}

/// How often a log is polled when no signal wakes its followers, and how much is sent at once.
public struct EventPace: Sendable {
  /// The longest time after its commit until an event is found whose signal was lost.
  public var slowLook = Duration.seconds(1)
  /// The first wait before events that an older transaction holds back are read again; further waits are longer.
  public var shortestWait = Duration.milliseconds(4)
  /// The longest of these waits.
  public var maxWait = Duration.milliseconds(100)
  /// Between two responses without events, which only advance the position.
  public var rest = Duration.seconds(60)
  /// Events read at a time.
  public var page = 200

  public init() {}
}
