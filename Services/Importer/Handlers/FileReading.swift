import ConfinedPrograms
import Environment
import FileContents
import Glibc
import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TTRPC
import TandemImporter

/// Reads uploaded files in confined processes, one for each, while they arrive.
package struct FileReading: Sendable {
  private let program: String
  private let filter: Confinement.Filter
  /// How long a file may take to arrive and be read.
  let timeLimit: Duration
  /// How long its client may send nothing while more is waited for.
  let idleLimit: Duration
  /// How long an import may take: one that runs for longer was interrupted.
  var longestImport: Duration { idleLimit + timeLimit + Self.storing }
  /// More than it takes to store what a file has.
  private static let storing = Duration.seconds(300)
  /// How many bytes may be sent beyond those that were read.
  let bytesAhead: Int
  private let seats: Seats
  private let logger: Logger

  /// - Parameters:
  ///   - program: the path of `activity-file-reader`.
  ///   - readers: files that are read at a time, of one user half as many; more are refused.
  ///   - timeLimit: how long a file may take to arrive and be read.
  ///   - idleLimit: how long a client may send nothing while more is waited for.
  ///   - unreadBytes: how many bytes of a stream's messages may wait. Half of them are for the file, since messages take
  ///     memory beside their chunks.
  package init(
    program: String, readers: Int, timeLimit: Duration, idleLimit: Duration, unreadBytes: Int,
    filter: Confinement.Filter, logger: Logger
  ) {
    (self.program, self.filter, self.logger) = (program, filter, logger)
    (self.timeLimit, self.idleLimit) = (timeLimit, idleLimit)
    bytesAhead = unreadBytes / 2
    seats = Seats(readers)
  }

  /// Gives the seat of an upload back, once what was read is stored or given up.
  func leave(_ seat: Seats.Seat) { seats.leave(seat) }

  /// Reads the file whose bytes `feed` sends, and passes on what it tells of before its end.
  ///
  /// - Parameters:
  ///   - seat: what it takes, and the caller gives back by ``leave(_:)``.
  ///   - work: where what the reader says is decoded.
  ///   - keep: takes activities, one part after the other; the reader waits for it, so that one part is in memory.
  ///   - feed: sends chunks until the file ends; its errors end the reading and are thrown.
  /// - Throws: RESOURCE_EXHAUSTED `TOO_MANY_UPLOADS`; DEADLINE_EXCEEDED `UPLOAD_TOO_SLOW`; INTERNAL when the reader does not work.
  func content(
    from user: UserID, in seat: Seats.Seat, zone: String, by clock: any WallClock, on work: HeavyWork,
    keeping keep: @escaping @Sendable ([ImportedActivity]) async throws -> Void,
    _ feed: @escaping @Sendable (@Sendable ([UInt8]) async throws -> Void) async throws -> Void
  ) async throws -> ReadFile {
    switch seats.take(seat, at: clock.now) {
    case .taken: break
    case .waits: try await alone(seat, by: clock)
    case .refused: throw Status.tooManyUploads
    }
    let reader = try Reader(program, [zone] + (filter == .required ? [] : ["optional"]))
    defer { reader.end() }
    let read = try await withThrowingTaskGroup(of: ReadFile?.self) { group in
      group.addTask {
        try await reader.exchange { send in
          try await feed { chunk in
            try await send(chunk)
            seat.note(chunk.count)
          }
          seat.noteEnd()
        } taking: {
          try await work.taken($0, of: user, keep)
        }
      }
      group.addTask {
        // The time limit of the whole upload; the group cancels this task when the reader ends first.
        try await Task.sleep(for: timeLimit)
        throw Status.uploadTooSlow
      }
      group.addTask {
        try await seat.lost()
        throw Status.uploadTooSlow
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let read else {
      // A reader that was killed, by its limits or its filter, says nothing.
      let signal = reader.signal()
      logger.error("a reader of an uploaded file died", metadata: ["signal": "\(signal)"])
      // Its limits and its filter have signals of their own: this is the kernel, where memory is short for all.
      if signal == SIGKILL, seats.noteKilled(seat, at: clock.now) { throw Status.readerKilled }
      return ReadFile(
        content: ActivityFileContent(fault: ActivityFileFault(.tooMuch, "The file takes too much to read", offset: 0)))
    }
    return read
  }
}

extension FileReading {
  /// Waits until no other file is read, but not for as long as a client may be silent.
  private func alone(_ seat: Seats.Seat, by clock: any WallClock) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await seat.alone() }
      group.addTask {
        try await Task.sleep(for: Self.maxWait)
        seats.leave(seat)
        _ = seats.noteKilled(seat, at: clock.now)
        throw Status.tooManyUploads
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    seat.take(at: clock.now)
  }

  private static let maxWait: Duration = .seconds(60)
}

/// What a file contains.
struct ReadFile: Sendable {
  /// Without the activities that came in parts before it.
  var content: ActivityFileContent
  /// Whether there were any.
  var hasParts = false
}

/// One content of a reader's output.
private enum TakenContent: Sendable {
  case part(activities: Int)
  case last(ActivityFileContent)
}

extension HeavyWork {
  /// Decodes a content, and passes the activities of a part on; `nil` for bytes that are none.
  fileprivate func taken(
    _ frame: (place: ContentFrames.Place, content: [UInt8]), of user: UserID,
    _ keep: @Sendable ([ImportedActivity]) async throws -> Void
  ) async throws -> TakenContent? {
    guard let content = try await run(for: user, { ContentCodec.decode(frame.content, on: $0) }) else { return nil }
    guard frame.place == .further else { return .last(content) }
    try await keep(content.batch.activities)
    return .part(activities: content.batch.activities.count)
  }
}

/// A process that reads one file.
private final class Reader: Sendable {
  private let process: pid_t
  private let socket: Int32
  private let status = Mutex<Int32?>(nil)

  init(_ program: String, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ReaderFailure(description: "making a socket: error \(errno) of the system")
    }
    defer { close(ends[1]) }
    let (process, code) = ChildProcess.spawn(program, arguments, talkingTo: ends[1])
    guard code == 0 else {
      close(ends[0])
      throw ReaderFailure(description: "starting \(program): error \(code) of the system")
    }
    (self.process, socket) = (process, ends[0])
  }

  /// Sends what `feed` sends, and returns what it contains; `nil` for output that is none. The reader may end before the file does.
  func exchange(
    _ feed: @escaping @Sendable (@Sendable ([UInt8]) async throws -> Void) async throws -> Void,
    taking take: @escaping @Sendable ((place: ContentFrames.Place, content: [UInt8])) async throws -> TakenContent?
  ) async throws -> ReadFile? {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .withConnectedSocket(socket) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await withThrowingTaskGroup(of: ReadFile??.self) { group in
        group.addTask { .some(try await Self.output(inbound, taking: take)) }
        group.addTask {
          let isOpen = Mutex(true)
          try await feed { chunk in
            guard isOpen.withLock({ $0 }) else { return }
            do { try await outbound.write(ByteBuffer(bytes: chunk)) } catch {
              // It has read enough: the rest of the file is received and thrown away.
              isOpen.withLock { $0 = false }
            }
          }
          outbound.finish()
          return .none
        }
        // A reader that has seen enough ends before the file does: the rest need not arrive.
        defer { group.cancelAll() }
        while let result = try await group.next() { if let result { return result } }
        return nil
      }
    }
  }

  private static func output(
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
    taking take: (@Sendable ((place: ContentFrames.Place, content: [UInt8])) async throws -> TakenContent?)
  ) async throws -> ReadFile? {
    var (frames, hasParts, activities) = (ContentFrames(), false, 0)
    do {
      for try await buffer in inbound {
        frames.append(buffer.readableBytesView)
        while let frame = try frames.next() {
          switch try await take(frame) {
          case .part(activities: let count):
            hasParts = true
            activities += count
            guard activities <= FileLimits.activities else { return nil }
          case .last(let content): return ReadFile(content: content, hasParts: hasParts)
          case nil: return nil
          }
        }
      }
    } catch is ContentFrames.Malformed {
      return nil
    } catch let error as IOError where error.errnoCode == ECONNRESET {
      // It died with input that it had not read: the same as one that died with none.
    }
    return nil
  }

  /// Kills the process, if it still runs, and reaps it.
  func end() { _ = signal() }

  /// The signal that ended the process; 0 if none did.
  func signal() -> Int32 {
    status.withLock { status in
      if let status { return status & 0x7F }
      var ended: Int32 = 0
      // It has closed its output, or is not wanted any more: it ends at once.
      if waitpid(process, &ended, WNOHANG) == 0 {
        kill(process, SIGKILL)
        while waitpid(process, &ended, 0) < 0, errno == EINTR {}
      }
      status = ended
      return ended & 0x7F
    }
  }
}

extension Status {
  static let tooManyUploads = Status(
    ImporterReason.tooManyUploads, "Too many files are being read; try again shortly", retryAfter: .seconds(5))

  /// Nothing is wrong with the file: it is read once others have given their memory back.
  static let readerKilled = Status(
    ImporterReason.tooManyUploads, "There was no memory left to read the file; try again shortly",
    retryAfter: .seconds(30))

  static let uploadTooSlow = Status(ImporterReason.uploadTooSlow, "The file did not arrive in time")

  static func uploadQuotaReached(retryAfter: Duration) -> Status {
    Status(
      ImporterReason.uploadQuotaReached, "You have uploaded many files; try again later", retryAfter: retryAfter)
  }
}

/// The reader of files does not run on this machine; the text is for the log.
private struct ReaderFailure: Error, StatusConvertible, CustomStringConvertible {
  let description: String

  var status: Status { Status(.internal, reason: "INTERNAL", "Files cannot be read at the moment") }
}
