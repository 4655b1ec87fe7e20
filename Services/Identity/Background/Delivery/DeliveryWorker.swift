import AsyncSignal
import PeriodicTask
import Environment
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import Logging
import Postgres
import ServiceLifecycle

/// Sends queued mail and pushes; each delivery is taken by one replica at a time ([ID-1], [ID-61], [ID-62]).
///
/// A failed attempt is repeated for a day, with waits that double from a minute to an hour. A delivery is sent twice
/// only if a mail server or a replica fails between accepting a mail and confirming it: such a mail is sent at most
/// once more, under the same Message-ID. A permanent refusal is recorded and not retried.
package final class DeliveryWorker: Service, DeliverySignalling {
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger
  private let lanes: [Lane]

  /// Finds deliveries left behind by a replica that died, and those due again after a failure.
  private static let pollInterval: Duration = .seconds(5)
  /// The number of deliveries that are given up in one statement.
  private static let batch = 500

  /// What sends one delivery of a channel at a time.
  ///
  /// One lane of each channel is for what is essential: no number of notices, and no server that hangs for them, takes
  /// its place. Lanes that have nothing to do wait until the lane before them has found something, so that a wake-up
  /// costs two statements for a channel.
  private struct Lane: Sendable {
    let sender: any DeliverySender
    /// Less urgent deliveries are not for the lane.
    let leastUrgent: DeliveryUrgency
    let signal = AsyncSignal()
    /// The signal of the next lane of the channel, if any.
    let next: AsyncSignal?
    /// Whether the commits that queue deliveries wake it.
    let isFirst: Bool

    /// The lanes of a sender.
    static func of(_ sender: any DeliverySender) -> [Lane] {
      var lanes: [Lane] = []
      for place in (1..<max(sender.capacity, 2)).reversed() {
        lanes.append(Lane(sender: sender, leastUrgent: .ordinary, next: lanes.last?.signal, isFirst: place == 1))
      }
      return lanes + [Lane(sender: sender, leastUrgent: .essential, next: nil, isFirst: true)]
    }
  }

  /// - Parameter senders: one for each channel in use.
  init(database: Database, senders: [any DeliverySender], clock: any WallClock, logger: Logger) {
    self.database = database
    self.clock = clock
    self.logger = logger
    lanes = senders.flatMap(Lane.of)
  }

  /// Sends new deliveries at once. Call it after the commit that created them.
  package func wake() {
    for lane in lanes where lane.isFirst { lane.signal.send() }
  }

  /// Sends what is due until the service stops; attempts under way are completed. Channels do not wait for each other.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask {
        await repeatUntilShutdown(every: Self.pollInterval, self.logger, "deliveries could not be looked for") { _ in
          self.wake()
        }
      }
      for lane in lanes {
        group.addTask {
          await withGracefulShutdownHandler {
            for await _ in lane.signal { await self.sendAllDue(by: lane) }
          } onGracefulShutdown: {
            lane.signal.finish()
          }
        }
      }
    }
  }

  private func sendAllDue(by lane: Lane) async {
    let sender = lane.sender
    do {
      if lane.isFirst, lane.leastUrgent == .ordinary { try await giveUp(on: sender.channel) }
      while !lane.signal.isFinished {
        let take = TakeDueDeliveries(
          channel: sender.channel, leastUrgent: lane.leastUrgent, now: clock.now, limit: 1)
        let taken = try await sender.takeDue(take, from: database)
        guard let delivery = taken.first else { return }
        lane.next?.send()
        let outcome = await sender.carry(delivery, with: Array(taken.dropFirst()))
        for one in taken { await note(outcome, of: one) }
      }
    } catch {
      logger.warning("due deliveries could not be looked up", metadata: ["cause": "\(error)"])
    }
  }

  private func giveUp(on channel: DeliveryChannel) async throws {
    while true {
      let ended = try await database.write(GiveUpDeliveries(channel: channel, now: clock.now, limit: Self.batch))
      for delivery in ended {
        logger.error(
          "a delivery is given up",
          metadata: [
            "delivery": "\(delivery.id)", "state": "\(delivery.state)", "cause": "\(delivery.lastFailure ?? "")",
          ])
      }
      if ended.count < Self.batch { return }
    }
  }

  // MARK: What became of it

  /// The attempts to record an outcome. Together they take less time than the wait after which another replica takes
  /// the delivery; an outcome that is not recorded counts as unknown.
  private static let notingAttempts = 5

  private func note(_ outcome: DeliveryOutcome, of delivery: DueDelivery) async {
    tell(outcome, of: delivery)
    for attempt in 1...Self.notingAttempts {
      do { return try await store(outcome, of: delivery) } catch {
        logger.warning(
          "a delivery's outcome could not be noted",
          metadata: ["delivery": "\(delivery.id)", "try": "\(attempt)", "cause": "\(error)"])
      }
      // Waits a second for the database to recover. Interrupted only when the service stops.
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
    }
  }

  private func store(_ outcome: DeliveryOutcome, of delivery: DueDelivery) async throws {
    let now = clock.now
    switch outcome {
    case .sent: try await settle(delivery, as: .sent, at: now)
    case .obsolete: try await settle(delivery, as: .obsolete, at: now)
    case .refused(let reason): try await settle(delivery, as: .refused, because: reason, at: now)
    case .later(let reason, let wait):
      try await database.write(
        PostponeDelivery(
          deliveryID: delivery.id, attempt: delivery.attempt, reason: reason, trace: .nothingSent,
          notBefore: now + wait))
    case .unsure(let reason):
      try await database.write(
        PostponeDelivery(
          deliveryID: delivery.id, attempt: delivery.attempt, reason: reason, trace: .perhapsSent, notBefore: now))
    case .deviceGone:
      guard let device = delivery.device else { return }
      try await database.write(DropGoneDevice(deviceID: device.id, tokenHash: device.tokenHash))
    }
  }

  private func settle(
    _ delivery: DueDelivery, as state: SettledState, because reason: String? = nil, at now: Instant
  ) async throws {
    try await database.write(SettleDelivery(state: state, now: now, reason: reason, deliveryID: delivery.id))
  }

  private func tell(_ outcome: DeliveryOutcome, of delivery: DueDelivery) {
    var details: Logger.Metadata = ["delivery": "\(delivery.id)", "attempt": "\(delivery.attempt)"]
    switch outcome {
    case .sent, .obsolete: return
    case .refused(let reason):
      details["cause"] = "\(reason)"
      logger.warning("a delivery was refused and is given up", metadata: details)
    case .later(let reason, _):
      details["cause"] = "\(reason)"
      logger.warning("a delivery was not sent and will be tried again", metadata: details)
    case .unsure(let reason):
      details["cause"] = "\(reason)"
      logger.warning("it is unknown whether a delivery was sent", metadata: details)
    case .deviceGone: logger.info("a device's token is gone, the device is dropped", metadata: details)
    }
  }
}
