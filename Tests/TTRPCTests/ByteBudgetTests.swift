import Testing

@testable import TTRPCFrames

@Suite("Budgets of bytes")
struct ByteBudgetTests {
  @Test("takes up to the limit, whole or not at all")
  func limit() {
    let budget = ByteBudget(limit: 100)
    #expect(budget.take(60))
    #expect(!budget.take(41))
    #expect(budget.take(40))
    #expect(budget.bytes == 100)
    budget.give(back: 60)
    #expect(budget.bytes == 40)
  }

  @Test("counts against the larger budget what is beyond the allowance")
  func allowance() {
    let all = ByteBudget(limit: 100)
    let one = ByteBudget(limit: 200, allowance: 10, within: all)
    let other = ByteBudget(limit: 200, allowance: 10, within: all)
    #expect(one.take(5))
    #expect(all.bytes == 0)
    #expect(one.take(100))
    #expect(all.bytes == 95)
    #expect(!other.take(16))
    #expect(other.bytes == 0 && all.bytes == 95)
    #expect(other.take(10))
    one.give(back: 105)
    #expect(one.bytes == 0 && all.bytes == 0)
    other.give(back: 10)
    #expect(all.bytes == 0)
  }

  @Test("what is in memory already is counted beyond the limit")
  func regardless() {
    let all = ByteBudget(limit: 100)
    let one = ByteBudget(limit: 50, within: all)
    one.take(regardless: 120)
    #expect(all.bytes == 120)
    #expect(!one.take(1))
    one.give(back: 120)
    #expect(all.bytes == 0)
  }

  @Test("comes back to nothing after many threads took and gave back")
  func concurrency() async {
    let all = ByteBudget(limit: 1_000)
    let one = ByteBudget(limit: 1_500, allowance: 300, within: all)
    await withTaskGroup(of: Void.self) { group in
      for size in [1, 90, 250, 700] {
        group.addTask {
          for _ in 0..<20_000 where one.take(size) { one.give(back: size) }
        }
      }
    }
    #expect(one.bytes == 0 && all.bytes == 0)
  }
}
