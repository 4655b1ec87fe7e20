import ChaosTables
import Events
import LoopExecutor
import Postgres
import ServiceLifecycle
import ServiceRuntime
import TandemEvents

/// A service that counts up keys and publishes an event for each, several at a time, until it has published enough.
@main
struct Producer: TandemService {
  static let count = Setting<Int>(
    "events", .number(1...10_000_000), default: "1000",
    meaning: "events that are told in all, by this run and earlier ones"
  )
  static let rate = Setting<Int>(
    "rate", .number(1...1_000_000), default: "1000000", meaning: "events a second at most")
  static let keys = Setting<Int>("keys", .number(1...1_000_000), default: "20", meaning: "keys that are told of")

  static let service = ServiceDescription(
    name: "catalog", purpose: "Tells", migrations: ChaosTables.producers,
    settings: [count.description, rate.description, keys.description])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(background: [Telling(runtime: runtime)])
  }
}

/// Counts a key up and publishes it, in one transaction each time, of which some are rolled back.
struct Telling: Service {
  let runtime: Runtime

  private static let writers = 8
  /// One of so many transactions is rolled back after it has published.
  private static let regrets = 10

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          let told = try await runtime.database.first(CountAll()) ?? 0
          let missing = runtime.settings[Producer.count] - Int(told)
          // Enough was published: the process stays, so that it can be followed until it is killed. The length of the sleep does not
          // matter.
          if missing > 0 { try await tell(missing) } else { try await Task.sleep(for: .seconds(3_600)) }
        } catch {
          // The tables may not exist yet, or the database is unavailable; the delay limits the number of attempts.
          do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        }
      }
    }
  }

  private func tell(_ count: Int) async throws {
    let pause = Duration.seconds(1) * Self.writers / runtime.settings[Producer.rate]
    try await withThrowingTaskGroup { group in
      for writer in 0..<Self.writers {
        let share = count / Self.writers + (writer < count % Self.writers ? 1 : 0)
        group.addTask(executorPreference: runtime.loops.executors[writer % runtime.loops.executors.count]) {
          var next = ContinuousClock.now
          for _ in 0..<share {
            try await tellOnce()
            next += pause
            // The rate that was asked for is the time between two.
            if next > .now { try await Task.sleep(until: next, clock: .continuous) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private struct Regret: Error {}

  private func tellOnce() async throws {
    let key = "key-\(Int.random(in: 0..<runtime.settings[Producer.keys]))"
    while true {
      do {
        return try await runtime.database.persistentTransaction { tx in
          // The transaction gets its number before it waits for the key, so that some have a lower number and a later event.
          if Bool.random() { try await tx.execute(Scribble()) }
          let value = try await tx.first(CountUp(key)) ?? 0
          try await runtime.events.publish(SessionRevoked(sessionID: key, userID: "\(value)"), in: tx)
          if Int.random(in: 0..<Self.regrets) == 0 { throw Regret() }
        }
      } catch is Regret {
        continue
      }
    }
  }
}
