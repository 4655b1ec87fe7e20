import ChaosTables
import Events
import LoopExecutor
import Postgres
import ServiceLifecycle
import ServiceRuntime
import TandemEvents

/// A service that tells of keys which it counts up, several at a time, until it has told enough.
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

/// Counts keys up and tells of it, in one transaction each time, of which some are rolled back.
struct Telling: Service {
  let runtime: Runtime

  private static let writers = 8
  /// Every so many transactions are rolled back after they have told.
  private static let regrets = 10

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          let told = try await runtime.database.first(CountAll()) ?? 0
          let missing = runtime.settings[Producer.count] - Int(told)
          // Enough was told: the process stays to be followed until it is killed, and the length of the sleep means nothing.
          if missing > 0 { try await tell(missing) } else { try await Task.sleep(for: .seconds(3_600)) }
        } catch {
          // The tables may not be there yet, or the database is away: between two attempts, so that they do not fill the time.
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
          // Numbers the transaction before it waits for the key: some have the lower number and the later news.
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
