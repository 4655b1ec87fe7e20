import AsyncSignal
import PeriodicTask
import Environment
import IdentityStore
import Identifiers
import Logging
import Postgres
import ServiceLifecycle

/// Sends what was decided on, mail and pushes, by whichever replica takes it first ([ID-1], [ID-61], [ID-62]).
///
/// Nothing is lost: what fails is tried again, with waits that double from a minute to an hour, for a day. Nothing is sent twice, but for one
/// case: when a mail server or a replica dies between taking a mail and saying so, nobody knows; such a mail goes out at most once more, under
/// the same Message-ID. What is refused for good is noted and not tried again.
package final class DeliveryWorker: Service {
  private let database: Database
  private let senders: [any DeliverySender]
  private let clock: any WallClock
  private let logger: Logger
  /// Each wakes the sender of one channel.
  private let signals: [AsyncSignal]

  /// Finds what a replica that died has left, and what is due again after a failure.
  private static let pollInterval: Duration = .seconds(5)
  /// Deliveries given up at a time.
  private static let batch = 500

  /// Sends by the senders, one for each channel that there is.
  init(database: Database, senders: [any DeliverySender], clock: any WallClock, logger: Logger) {
    self.database = database
    self.senders = senders
    self.clock = clock
    self.logger = logger
    signals = senders.map { _ in AsyncSignal() }
  }

  /// Has new deliveries looked for at once. After the commit that made them.
  func wake() {
    for signal in signals { signal.send() }
  }

  /// Sends what is due until the service stops; what was begun is finished. The channels do not wait for each other.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask {
        await repeatUntilShutdown(every: Self.pollInterval, self.logger, "deliveries could not be looked for") { _ in
          self.wake()
        }
      }
      for (sender, signal) in zip(senders, signals) {
        group.addTask {
          await withGracefulShutdownHandler {
            for await _ in signal { await self.sendAllDue(by: sender) }
          } onGracefulShutdown: {
            signal.finish()
          }
        }
      }
    }
  }

  private func sendAllDue(by sender: any DeliverySender) async {
    do {
      try await giveUp(on: sender.channel)
      while true {
        let due = try await database.write(
          TakeDueDeliveries(sender.channel, now: clock.now, limit: sender.capacity))
        await withTaskGroup { group in
          for delivery in due { group.addTask { await self.note(await sender.carry(delivery), of: delivery) } }
        }
        if due.count < sender.capacity { return }
      }
    } catch {
      logger.warning("due deliveries could not be looked up", metadata: ["cause": "\(error)"])
    }
  }

  private func giveUp(on channel: DeliveryChannel) async throws {
    while true {
      let ended = try await database.write(GiveUpDeliveries(channel, now: clock.now, limit: Self.batch))
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

  /// Attempts at noting an outcome. Together shorter than the wait after which somebody else takes the delivery: an outcome that is not noted
  /// counts as unknown.
  private static let notingAttempts = 5

  private func note(_ outcome: DeliveryOutcome, of delivery: DueDelivery) async {
    tell(outcome, of: delivery)
    for attempt in 1...Self.notingAttempts {
      do { return try await store(outcome, of: delivery) } catch {
        logger.warning(
          "a delivery's outcome could not be noted",
          metadata: ["delivery": "\(delivery.id)", "try": "\(attempt)", "cause": "\(error)"])
      }
      // A database that could not note it needs a moment to come back. Cut short only where the service ends.
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
    }
  }

  private func store(_ outcome: DeliveryOutcome, of delivery: DueDelivery) async throws {
    let now = clock.now
    switch outcome {
    case .sent: try await database.write(SettleDelivery(delivery.id, .sent, because: nil, now: now))
    case .obsolete: try await database.write(SettleDelivery(delivery.id, .obsolete, because: nil, now: now))
    case .refused(let reason):
      try await database.write(SettleDelivery(delivery.id, .refused, because: reason, now: now))
    case .later(let reason, let wait):
      try await database.write(
        PostponeDelivery(
          delivery.id, attempt: delivery.attempt, because: reason, .nothingSent, notBefore: now + wait))
    case .unsure(let reason):
      try await database.write(
        PostponeDelivery(delivery.id, attempt: delivery.attempt, because: reason, .perhapsSent, notBefore: now))
    case .deviceGone:
      guard let device = delivery.device else { return }
      try await database.write(DropGoneDevice(device.id, tokenHash: device.tokenHash))
    }
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
      logger.warning("nobody knows whether a delivery was sent", metadata: details)
    case .deviceGone: logger.info("a device's token is gone, the device is dropped", metadata: details)
    }
  }
}
