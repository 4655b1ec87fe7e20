import EchoV1
import ProtobufC
import Synchronization
import Testing

@testable import TTRPC
@testable import TTRPCFrames

@Suite("Mailboxes of streams", .timeLimit(.minutes(5)))
struct MailboxTests {
  private func deliver(_ text: String, to mailbox: Mailbox<Msg>) -> String {
    let arena = Arena(firstBlock: 4_096)
    return Msg(value: text).serialized().withUnsafeBytes { bytes in
      switch mailbox.deliver(bytes, arena) {
      case .taken: "taken"
      case .takenForNow: "taken for now"
      case .overflow: "overflow"
      case .overBudget: "over budget"
      case .malformed(_, let message): "malformed \(message)"
      }
    }
  }

  private func read(_ mailbox: Mailbox<Msg>) async throws -> String? {
    let message = try await mailbox.next(isolation: nil)
    return message?.value
  }

  @Test("messages come out in order, then the end, again and again")
  func order() async throws {
    let mailbox = Mailbox<Msg>(.generated, limit: 1_000)
    for text in ["a", "", "c"] { #expect(deliver(text, to: mailbox) == "taken") }
    mailbox.end(nil)
    for expected in ["a", "", "c", nil, nil] {
      let text = try await read(mailbox)
      #expect(text == expected)
    }
  }

  @Test("a failure comes after what waits, a cut before it")
  func failures() async throws {
    let (ended, cut) = (Mailbox<Msg>(.generated, limit: 1_000), Mailbox<Msg>(.generated, limit: 1_000))
    for mailbox in [ended, cut] { _ = deliver("a", to: mailbox) }
    ended.end(.callEnded)
    cut.cut(.deadlineExceeded)
    let first = try await read(ended)
    #expect(first == "a")
    await #expect(throws: Status.callEnded) { try await read(ended) }
    await #expect(throws: Status.deadlineExceeded) { try await read(cut) }
  }

  @Test("what was cut does not look complete, although its end had come: the messages before the end are lost")
  func cutAfterEnd() async throws {
    let (unread, read) = (Mailbox<Msg>(.generated, limit: 1_000), Mailbox<Msg>(.generated, limit: 1_000))
    for mailbox in [unread, read] {
      _ = deliver("a", to: mailbox)
      mailbox.end(nil)
    }
    let first = try await self.read(read)
    for mailbox in [unread, read] { mailbox.cut(.deadlineExceeded) }
    await #expect(throws: Status.deadlineExceeded) { try await self.read(unread) }
    let end = try await self.read(read)
    #expect(first == "a" && end == nil)
  }

  @Test("one message always fits, however long; the next one does not")
  func limit() async throws {
    let mailbox = Mailbox<Msg>(.generated, limit: 10)
    #expect(deliver(String(repeating: "x", count: 5_000), to: mailbox) == "taken")
    #expect(deliver("", to: mailbox) == "overflow")
    _ = try await read(mailbox)
    #expect(deliver("", to: mailbox) == "taken")
  }

  @Test("mailboxes share a budget, and give back what was read, dropped or forgotten")
  func budget() async throws {
    let whole = ByteBudget(limit: 10_000)
    let budget = ByteBudget(limit: 1_000, within: whole)
    let (one, other) = (
      Mailbox<Msg>(.generated, limit: 5_000, budget: budget), Mailbox<Msg>(.generated, limit: 5_000, budget: budget)
    )
    #expect(deliver(String(repeating: "x", count: 600), to: one) == "taken")
    #expect(deliver(String(repeating: "x", count: 600), to: other) == "over budget")
    #expect(budget.bytes > 600 && whole.bytes == budget.bytes)
    _ = try await read(one)
    // The reader works on it until it asks for the next.
    #expect(deliver(String(repeating: "x", count: 600), to: other) == "over budget")
    one.end(nil)
    #expect(try await read(one) == nil)
    #expect(deliver(String(repeating: "x", count: 600), to: other) == "taken")
    other.cut(.callEnded)
    #expect(budget.bytes == 0)
    do {
      let forgotten = Mailbox<Msg>(.generated, limit: 5_000, budget: budget)
      #expect(deliver("x", to: forgotten) == "taken")
    }
    #expect(whole.bytes == 0)
  }

  @Test("bytes that are no message are told, and leave nothing")
  func malformed() {
    let mailbox = Mailbox<Msg>(.generated, limit: 1_000)
    let arena = Arena(firstBlock: 4_096)
    let delivery = [UInt8]([0x07]).withUnsafeBytes { mailbox.deliver($0, arena) }
    if case .malformed(_, "echo.v1.Msg") = delivery { return }
    Issue.record("\(delivery)")
  }

  @Test("a reader whose task is cancelled, before or while it waits, is told so and may read on")
  func cancelledReader() async throws {
    let mailbox = Mailbox<Msg>(.generated, limit: 1_000)
    for _ in 0..<200 {
      let reading = Task { try await read(mailbox) }
      reading.cancel()
      let result = await reading.result
      #expect(throws: Status.self) { try result.get() }
    }
    _ = deliver("after", to: mailbox)
    let text = try await read(mailbox)
    #expect(text == "after")
  }

  @Test("every message is read once, whatever the reader's pace")
  func race() async throws {
    let mailbox = Mailbox<Msg>(.generated, limit: 1 << 30)
    let reading = Task {
      var seen: [String] = []
      while let text = try await read(mailbox) { seen.append(text) }
      return seen
    }
    for number in 0..<20_000 {
      _ = deliver("\(number)", to: mailbox)
      if number % 1_000 == 0 { await Task.yield() }
    }
    mailbox.end(nil)
    let seen = try await reading.value
    #expect(seen == (0..<20_000).map(String.init))
  }
}
