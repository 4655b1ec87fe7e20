import Glibc
import Reflection
import TTRPC
import UnixSignals

/// A call with a request stream, a response stream or both: JSON in, JSON lines out.
struct StreamedCall: Sendable {
  let client: ReflectingClient
  let method: CalledMethod
  let options: CallOptions
  let parts: RequestParts
  let journal: CallJournal

  /// The outcome of a task of the call.
  private enum Event {
    /// The server has ended the response stream.
    case answered
    case sent
    /// The reader of our standard output has closed it.
    case unread
  }

  /// The exit status of shells for a command that Ctrl-C ended.
  private static let interruptedStatus: Int32 = 128 + SIGINT

  /// Runs the call to its end.
  ///
  /// - Throws: `Status` if it fails; an error about invalid requests.
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
      // The call has ended; the task that reads the responses reports how.
      return .sent
    }
    writer.finish()
    input.end()
    return .sent
  }

  /// The first Ctrl-C ends the request stream, if there is one; the next, or the first without one, ends the command.
  private func wait(for interrupts: UnixSignalsSequence, _ input: InputLines) async -> Event {
    for await _ in interrupts {
      guard method.type.clientStreams, !input.hasEnded else {
        // At once, even if writing a response blocks.
        journal.tellEnd("left")
        Glibc.exit(Self.interruptedStatus)
      }
      input.end()
    }
    return .sent
  }
}
