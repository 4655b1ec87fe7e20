import NIOCore
import Testing

@testable import TTRPCServer

@Suite("Which of many like lines are written")
struct SampledLinesTests {
  private let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
  private var lines = SampledLines<String>(capacity: 3)

  private func seconds(_ count: Int64) -> NIODeadline { start + .seconds(count) }

  @Test("the first five of a kind are written at once, then one a second at most, which tells how many were not")
  func first() {
    var lines = lines
    for _ in 0..<5 { #expect(lines.admit("a", at: start) == 0) }
    for _ in 0..<7 { #expect(lines.admit("a", at: start) == nil) }
    #expect(lines.admit("b", at: start) == 0)
    #expect(lines.admit("a", at: seconds(1)) == 7)
    #expect(lines.admit("a", at: seconds(1)) == nil)
  }

  @Test("a kind that goes on is written less and less often, but once a minute")
  func rarer() {
    var lines = lines
    // Ten a second for ten minutes.
    let written = (0..<6_000).compactMap { lines.admit("a", at: start + .milliseconds(100 * Int64($0))) }
    #expect((15...25).contains(written.count))
    let rest = lines.takeAll()
    #expect(written.count + written.reduce(0, +) + rest.map(\.count).reduce(0, +) == 6_000)
    #expect(written.suffix(3) == [639, 639, 639])
  }

  @Test("what is left out is told though nothing follows, and a kind that was quiet begins anew")
  func due() {
    var lines = lines
    for _ in 0..<9 { _ = lines.admit("a", at: start) }
    #expect(lines.takeDue(at: start).isEmpty)
    let due = lines.takeDue(at: seconds(1))
    #expect(due.map(\.kind) == ["a"] && due.map(\.count) == [4])
    #expect(lines.takeDue(at: seconds(9)).isEmpty && !lines.isEmpty)
    #expect(lines.takeDue(at: seconds(10)).isEmpty && lines.isEmpty)
    #expect(lines.admit("a", at: seconds(10)) == 0)
  }

  @Test("one after the other at leisure, all are written")
  func atLeisure() {
    var lines = lines
    for second in 0..<100 { #expect(lines.admit("a", at: seconds(Int64(second) * 2)) == 0) }
  }

  @Test("kinds for which there is no place count as one, and lose none")
  func capacity() {
    var lines = lines
    for kind in ["a", "b", "c"] { #expect(lines.admit(kind, at: start) == 0) }
    let written = (0..<1_000).compactMap { lines.admit("other \($0)", at: start) }
    #expect(written.count == 5)
    #expect(lines.admit("a", at: start) == 0)
    let rest = lines.takeAll()
    #expect(rest.map(\.kind) == [nil] && rest.map(\.count) == [995] && lines.isEmpty)
  }
}
