import SeededNumbers
import Testing
import WorkerPool

@Suite("a queue whose owners take turns")
struct FairQueueTests {
  @Test(
    "each element comes once, the oldest of a free owner, and all owners have a turn before one has the next",
    arguments: 1...20)
  func turns(seed: UInt64) throws {
    var (numbers, queue, last) = (SplitMix(seed: seed), FairQueue<Int, UInt64>(), UInt64(0))
    var waiting: [Int: [UInt64]] = [:]
    for _ in 0..<3_000 {
      let owner = Int.random(in: 0..<200, using: &numbers)
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<5:
        last += 1
        queue.append(last, ticket: last, for: owner)
        waiting[owner, default: []].append(last)
      case 5..<8:
        let ticket = waiting[owner]?.randomElement(using: &numbers)
        #expect(queue.remove(ticket ?? 0, of: owner) == ticket)
        waiting[owner]?.removeAll { $0 == ticket }
      default:
        let share = Int.random(in: 1..<4, using: &numbers)
        let found = queue.next { $0 % share == 0 }
        let isAnyFree = waiting.contains { $0.key % share == 0 && !$0.value.isEmpty }
        #expect((found != nil) == isAnyFree && found.map { $0.owner % share } ?? 0 == 0)
        guard let found else { continue }
        #expect(waiting[found.owner]?.first == found.element)
        waiting[found.owner]?.removeFirst()
      }
      #expect(queue.count == waiting.values.reduce(0) { $0 + $1.count })
    }
    while queue.count > 0 {
      let owners = Set(waiting.filter { !$0.value.isEmpty }.keys)
      let turns = try owners.map { _ in try #require(queue.next { _ in true }) }
      #expect(Set(turns.map(\.owner)) == owners)
      for turn in turns {
        #expect(waiting[turn.owner]?.first == turn.element)
        waiting[turn.owner]?.removeFirst()
      }
    }
    #expect(queue.next { _ in true } == nil)
  }

  @Test("29 A12: a hundred thousand owners who leave at once take no longer than they took to come, however many wait")
  func leaving() {
    var queue = FairQueue<Int, Int>()
    let count = 100_000
    for owner in 0..<count { queue.append(owner, ticket: UInt64(owner), for: owner) }
    for owner in 0..<(count - 1) { #expect(queue.remove(UInt64(owner), of: owner) == owner) }
    #expect(queue.next { _ in true }?.owner == count - 1)
  }
}
