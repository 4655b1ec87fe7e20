import Glibc
import Reflection
import TTRPC
import UnixSignals

/// One call of a method of which one side or both are streams: JSON in, JSON lines out.
struct StreamedCall: Sendable {
  let client: ReflectingClient
  let method: CalledMethod
  let options: CallOptions
  let parts: RequestParts
  let journal: CallJournal

  /// What a task of the call came to.
  private enum Event {
    /// The server has ended the stream.
    case answered
    case sent
    /// Nobody reads our output any more.
    case unread
  }

  /// What a shell shows for a command that Ctrl-C ended.
  private static let interruptedStatus: Int32 = 128 + SIGINT

  /// Runs the call to its end.
  ///
  /// - Throws: `Status` when it fails, a complaint about what is to be sent.
  func run() async throws {
    let first = method.type.clientStreams ? nil : try method.encode(try parts.only())
    if let first { journal.sent(first.count) }
    let input = try InputLines(STDIN_FILENO)
    let interrupts = await UnixSignalsSequence(trapping: .sigint)
    try await client.connection.streamSerialized(method.descriptor, first, options) { writer, answers in
      try await withThrowingTaskGroup(of: Event.self) { group in
        group.addTask { try await show(answers) }
        group.addTask { await wait(for: interrupts, input) }
        if method.type.clientStreams { group.addTask { try await send(to: writer, from: input) } }
        defer { group.cancelAll() }
        while let event = try await group.next() {
          if event != .sent { return }
        }
      }
    }
  }

  private func show(_ answers: MessageStream<[UInt8]>) async throws -> Event {
    for try await answer in answers {
      journal.received(answer.count)
      guard isRead(writing: try method.json(answer).text(.oneLine) + "\n", to: STDOUT_FILENO) else { return .unread }
    }
    return .answered
  }

  private func send(to writer: RequestWriter<[UInt8]>, from input: InputLines) async throws -> Event {
    do {
      try await parts.forEach(input: input) { request in
        let message = try method.encode(request)
        journal.sent(message.count)
        try await writer.send(message)
      }
    } catch is Status {
      // The call has ended; whoever reads the answers is told how.
      return .sent
    }
    writer.finish()
    input.end()
    return .sent
  }

  /// The first Ctrl-C ends what is being sent, where something is; the next one, or the first where nothing is, leaves.
  private func wait(for interrupts: UnixSignalsSequence, _ input: InputLines) async -> Event {
    for await _ in interrupts {
      guard method.type.clientStreams, !input.hasEnded else {
        // At once, even where an answer is being written to somebody who does not read.
        journal.tellEnd("left")
        Glibc.exit(Self.interruptedStatus)
      }
      input.end()
    }
    return .sent
  }
}
