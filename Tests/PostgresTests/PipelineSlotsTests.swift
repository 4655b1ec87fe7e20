import SeededNumbers
import Testing

@testable import Postgres

@Suite("Pipeline slots")
struct PipelineSlotsTests {
  typealias Slots = PipelineSlots<String>
  static let failure = PostgresError(sqlState: .uniqueViolation, message: "twice")

  /// A group of `calls`, sent with one Sync.
  private func slots(_ policy: PipelinePolicy, _ calls: [String], attempt: Int = 1) -> Slots {
    var slots = Slots(policy)
    for call in calls { slots.sentCall(Attempt(call: call, number: attempt), statement: 1) }
    slots.sentSync()
    return slots
  }

  private func settlement(_ decision: Slots.Decision) -> Slots.Settlement? {
    if case .settle(let settlement) = decision { settlement } else { nil }
  }

  @Test("a read is answered before its Sync")
  func readAtOnce() {
    var slots = slots(.reads, ["a"])
    guard case .answer("a") = slots.receive(.success) else { return #expect(Bool(false), "not answered") }
    #expect(slots.calls == 0)
    #expect(slots.syncs == 1)
    #expect(settlement(slots.receive(.sync))?.answered == [])
    #expect(slots.isEmpty)
  }

  @Test("a write is kept until its Sync")
  func writeAtSync() {
    var slots = slots(.writes, ["a", "b"])
    guard case .keep("a") = slots.receive(.success), case .keep("b") = slots.receive(.success) else {
      return #expect(Bool(false), "not kept")
    }
    #expect(settlement(slots.receive(.sync))?.answered == ["a", "b"])
  }

  @Test("reads that a failure skipped run again, and only the failing one is refused")
  func skippedReads() {
    var slots = slots(.reads, ["a", "b", "c"])
    _ = slots.receive(.success)
    guard case .refuse("b", _) = slots.receive(.failure(Self.failure)) else {
      return #expect(Bool(false), "not refused")
    }
    _ = slots.receive(.aborted)
    let again = settlement(slots.receive(.sync))?.again
    #expect(again?.map(\.call) == ["c"])
    #expect(again?.map(\.number) == [2])
  }

  @Test("a group of writes with a failure runs again as a whole, for all of it was undone")
  func undoneWrites() {
    var slots = slots(.writes, ["a", "b", "c"])
    _ = slots.receive(.success)
    _ = slots.receive(.failure(Self.failure))
    _ = slots.receive(.aborted)
    let settlement = settlement(slots.receive(.sync))
    #expect(settlement?.again.map(\.call) == ["a", "b", "c"])
    #expect(settlement?.answered.isEmpty == true)
    #expect(settlement?.refused.isEmpty == true)
  }

  @Test("a write that fails alone is refused")
  func loneWrite() {
    var slots = slots(.writes, ["a"])
    _ = slots.receive(.failure(Self.failure))
    #expect(settlement(slots.receive(.sync))?.refused.map(\.0) == ["a"])
  }

  @Test("a failure of the commit itself refuses the write that was kept")
  func failedCommit() {
    var slots = slots(.writes, ["a"])
    _ = slots.receive(.success)
    _ = slots.receive(.failure(Self.failure))
    #expect(settlement(slots.receive(.sync))?.refused.map(\.1.sqlState) == [.uniqueViolation])
  }

  @Test("in a transaction nothing runs again, and what came before a failure keeps its answer")
  func transaction() {
    var slots = slots(.transaction, ["begin", "a", "b"])
    _ = slots.receive(.success)
    _ = slots.receive(.failure(Self.failure))
    _ = slots.receive(.aborted)
    let settlement = settlement(slots.receive(.sync))
    #expect(settlement?.again.isEmpty == true)
    #expect(settlement?.answered == ["begin"])
    #expect(settlement?.refused.map(\.0) == ["a", "b"])
  }

  @Test("in a transaction a failure of the Sync itself refuses all that came before it")
  func transactionSync() {
    var slots = slots(.transaction, ["a", "b"])
    _ = slots.receive(.success)
    _ = slots.receive(.success)
    _ = slots.receive(.failure(Self.failure))
    let settlement = settlement(slots.receive(.sync))
    #expect(settlement?.answered == [])
    #expect(settlement?.refused.map(\.0) == ["a", "b"])
    slots.sentCall(Attempt(call: "c", number: 1), statement: 1)
    slots.sentSync()
    _ = slots.receive(.success)
    #expect(self.settlement(slots.receive(.sync))?.answered == ["c"], "the next Sync has nothing of it")
  }

  @Test("a failed preparation is the failure of the call it was made for")
  func preparation() {
    var slots = Slots(.reads)
    slots.sentPrepare(7)
    slots.sentCall(Attempt(call: "a", number: 1), statement: 7)
    slots.sentCall(Attempt(call: "b", number: 1), statement: 7)
    slots.sentSync()
    guard case .forget(7) = slots.receive(.failure(Self.failure)), case .refuse("a", _) = slots.receive(.aborted) else {
      return #expect(Bool(false), "not refused")
    }
    _ = slots.receive(.aborted)
    #expect(settlement(slots.receive(.sync))?.again.map(\.call) == ["b"])
  }

  @Test("a call whose statement is found unprepared runs again, but not for ever")
  func unprepared() {
    let unprepared = PostgresError(sqlState: .unknownPreparedStatement, message: "not there")
    var first = slots(.writes, ["a"])
    guard case .forget(1) = first.receive(.failure(unprepared)) else { return #expect(Bool(false), "not forgotten") }
    #expect(settlement(first.receive(.sync))?.again.map(\.number) == [2])
    var last = slots(.writes, ["a"], attempt: Attempt<String>.limit)
    _ = last.receive(.failure(unprepared))
    #expect(settlement(last.receive(.sync))?.refused.map(\.0) == ["a"])
  }

  @Test("a lost connection names everyone who waits, once")
  func lost() {
    var slots = slots(.writes, ["a", "b", "c"])
    slots.sentCall(Attempt(call: "d", number: 1), statement: 1)
    _ = slots.receive(.success)
    _ = slots.receive(.failure(Self.failure))
    #expect(slots.removeAll().sorted() == ["a", "b", "c", "d"])
    #expect(slots.isEmpty)
    #expect(slots.calls == 0)
  }

  @Test("an answer that fits nothing is noticed")
  func violation() {
    var empty = Slots(.reads)
    guard case .violation = empty.receive(.success) else { return #expect(Bool(false), "not noticed") }
    var early = slots(.reads, ["a"])
    guard case .violation = early.receive(.sync) else { return #expect(Bool(false), "not noticed") }
  }

  /// Whatever the server answers, each call is answered, refused or run again exactly once.
  @Test("every call has exactly one outcome, whatever fails", arguments: [PipelinePolicy.reads, .writes, .transaction])
  func exactlyOnce(_ policy: PipelinePolicy) {
    var generator = SplitMix(seed: 7)
    for _ in 0..<500 {
      var slots = Slots(policy)
      let count = Int.random(in: 1...6, using: &generator)
      let failing = Int.random(in: 0...count, using: &generator)
      for call in 0..<count { slots.sentCall(Attempt(call: "\(call)", number: 1), statement: 1) }
      slots.sentSync()
      var outcomes: [String] = []
      for call in 0..<count {
        switch slots.receive(call < failing ? .success : call == failing ? .failure(Self.failure) : .aborted) {
        case .answer(let call), .refuse(let call, _): outcomes.append(call)
        default: break
        }
      }
      if let settlement = settlement(slots.receive(.sync)) {
        outcomes += settlement.answered + settlement.refused.map(\.0) + settlement.again.map(\.call)
      }
      #expect(outcomes.sorted() == (0..<count).map(String.init))
    }
  }
}
