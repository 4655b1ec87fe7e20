import Environment
import Foundation
import Identifiers
import TTRPC
import TandemMatching
import TestSupport
import Testing

/// Users who post, join, cancel, check in and give feedback at random, while matching, the catalog and the database server are killed, and
/// the clocks go on from one judgement to the next.
///
/// `make chaos` runs the same with more users, rounds and kills; `CHAOS_SEED` repeats a run's choices.
@Suite("training sessions while everything is killed", .ownThreads, .serialized, .timeLimit(.minutes(60)))
struct MatchingChaosTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let users = number("CHAOS_TRAINEES", 4)
  private let rounds = number("CHAOS_ROUNDS", 2)
  private let stepsOfRound = number("CHAOS_TURNS", 15)
  private let kills = number("CHAOS_SESSION_KILLS", 1)
  private let seed = UInt64(number("CHAOS_SEED", 1))

  /// What is killed while users act; matching more often than what it needs.
  private static let victims: [KillableServices.Part] = [.matching, .matching, .database, .matching, .catalog]

  @Test("[MA-2] [MA-5] [MA-10] no two winners, no overlap, nobody barred without a cause, no lost acknowledgement")
  func killed() async throws {
    try await TrainingStage.with { stage, services in
      print(
        "chaos: \(users) users, \(rounds) rounds of \(stepsOfRound) steps each, \(kills) kills a round, seed \(seed)")
      let journal = TrainingJournal()
      let gym = try await stage.three.gym(at: TrainingStage.point)
      var trainees: [Trainee] = []
      for number in 0..<users {
        trainees.append(
          Trainee(
            stage: stage, member: try await stage.trainee("trainee\(number)"), gym: gym,
            chance: SeededRandomness(seed: seed &+ UInt64(number)), journal: journal))
      }
      let chance = SeededRandomness(seed: seed &+ 1_000)
      var killed = 0
      for _ in 0..<rounds {
        killed += try await play(trainees, services, chance, journal)
        try await stage.liftSomeBars(chance, journal)
        let isOutage = chance.uint64() % 4 == 0
        try await stage.advance(
          by: .seconds(16 * 60 + Int64(chance.uint64() % 600)), isOutage ? .wasDown : .worked)
        // The judgements that are due now are being made.
        try services.kill(chance.uint64() % 3 == 0 ? .database : .matching)
        killed += 1
      }
      try await stage.advance(by: .seconds(6 * 3_600))
      // A job of a killed process is taken up once its lease has ended, which is a minute.
      var isSettled = false
      for _ in 0..<2 where !isSettled { isSettled = try await eventually { try await stage.isSettled() } }
      let waiting = try await stage.unfinished()
      #expect(isSettled, "seed \(seed): sessions were not judged, or jobs not done: \(waiting)")
      #expect(journal.surprises.all.isEmpty, "seed \(seed): \(journal.surprises.all.prefix(5))")
      #expect(journal.acknowledged.all.count > users, "seed \(seed)")
      let ledger = try await SessionLedger(stage.three)
      print("chaos: \(journal.acknowledged.all.count) steps were acknowledged, \(killed) kills")
      print("chaos: \(ledger.summary)")
      let complaints = ledger.complaints(journal)
      #expect(complaints.isEmpty, "seed \(seed): \(complaints.count) complaints, \(complaints.prefix(10))")
      try await stage.three.expectInvariants(of: ["identity", "matching"], "seed \(seed)")
    }
  }

  /// Lets all users act at the same time, and kills meanwhile; returns how often.
  private func play(
    _ trainees: [Trainee], _ services: KillableServices, _ chance: SeededRandomness, _ journal: TrainingJournal
  ) async throws -> Int {
    let (before, finished) = (journal.attempts.all.count, Gathered<Int>())
    return try await withThrowingTaskGroup { group in
      for (number, trainee) in trainees.enumerated() {
        let steps = stepsOfRound
        group.addTask {
          defer { finished.add(number) }
          try await trainee.act(steps)
        }
      }
      for kill in 0..<kills {
        // Spread over the round, at a moment that no user has chosen.
        let due = before + users * stepsOfRound * (kill + 1) / (kills + 1)
        _ = try await eventually { journal.attempts.all.count >= due || finished.all.count == users }
        try services.kill(Self.victims[Int(chance.uint64() % UInt64(Self.victims.count))])
      }
      try await group.waitForAll()
      return kills
    }
  }
}

extension TrainingStage {
  /// Whether every session that is over was judged, and every job done that was due.
  fileprivate func isSettled() async throws -> Bool {
    do {
      let open = try await three.value(
        "select count(*) from matching.sessions where state in ('OPEN', 'MATCHED') and starts_at < to_timestamp(\((now - .seconds(3_600)).wholeSeconds))"
      )
      let due = try await three.value(
        "select count(*) from matching.jobs where due_at < to_timestamp(\((now - .seconds(60)).wholeSeconds))")
      return open == "0" && due == "0"
    } catch { return false }
  }

  /// The sessions and jobs that ``isSettled()`` waits for, and the transactions that may hold them up.
  fileprivate func unfinished() async throws -> String {
    try await three.value(
      """
      select concat_ws('; ',
        (select string_agg(concat_ws(' ', state, starts_at), ', ') from matching.sessions where state in ('OPEN', 'MATCHED')),
        (select string_agg(concat_ws(' ', kind, due_at, ready_at, lease_until, attempts, dead_at, last_failure), ', ')
          from matching.jobs where due_at < to_timestamp(\(now.wholeSeconds))),
        (select string_agg(concat_ws(' ', application_name, state, wait_event, xact_start, query), ', ')
          from pg_stat_activity where datname = current_database() and xact_start < now() - interval '1 minute'))
      """) ?? ""
  }
}
