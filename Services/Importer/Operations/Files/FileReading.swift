import ConfinedPrograms
import Environment
import FileContents
import Glibc
import Identifiers
import Logging

/// Reads uploaded files in confined processes, one for each, while they arrive.
package struct FileReading: Sendable {
  private let program: String
  private let filter: Confinement.Filter
  /// How long a file may take to arrive and be read.
  private let timeLimit: Duration
  /// How long its client may send nothing while more is waited for.
  let idleLimit: Duration
  /// How long an import may take: one that runs for longer was interrupted.
  var maxImportTime: Duration { idleLimit + timeLimit + Self.storing }
  /// More than it takes to store what a file has.
  private static let storing = Duration.seconds(300)
  /// How many bytes may be sent beyond those that were read.
  let bytesAhead: Int
  let seats: Seats
  private let logger: Logger

  /// How long an upload waits to be read alone: less than a client may be silent.
  private static let maxWait: Duration = .seconds(60)

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

  /// Takes a seat, at once or when the upload may be read alone.
  ///
  /// - Throws: `FileImportRefusal.tooManyUploads`.
  func sit(on seat: Seats.Seat, by clock: any WallClock) async throws {
    switch seats.take(seat, at: clock.now) {
    case .taken: return
    case .refused: throw FileImportRefusal.tooManyUploads
    case .waits:
      try await beside([
        {
          // The time that a client waits for its turn at most.
          try await Task.sleep(for: Self.maxWait)
          seats.leave(seat)
          _ = seats.noteKilled(seat, at: clock.now)
          throw FileImportRefusal.tooManyUploads
        }
      ]) { try await seat.alone() }
      seat.take(at: clock.now)
    }
  }

  /// Starts a reader.
  ///
  /// - Parameter zone: of times that are those of a clock.
  func reader(of zone: String) throws -> FileReader {
    try FileReader(program, [zone] + (filter == .required ? [] : ["optional"]))
  }

  /// Throws once a file has taken too long to arrive and be read.
  func watchTime() async throws {
    // The time limit of the whole upload.
    try await Task.sleep(for: timeLimit)
    throw FileImportRefusal.tooSlow
  }

  /// What a file contains whose reader ended without a word: its limits or its filter have killed it.
  ///
  /// - Throws: `FileReaderFailure.killed` where it was not the file that took too much.
  func deadEnd(of reader: FileReader, in seat: Seats.Seat, at now: Instant) throws -> ReadFile {
    let signal = reader.signal()
    logger.error("a reader of an uploaded file died", metadata: ["signal": "\(signal)"])
    // Its limits and its filter have signals of their own: this is the kernel, where memory is short for all.
    if signal == SIGKILL, seats.noteKilled(seat, at: now) { throw FileReaderFailure.killed }
    return ReadFile(
      content: ActivityFileContent(fault: ActivityFileFault(.tooMuch, "The file takes too much to read", offset: 0)))
  }
}

/// What a file contains.
struct ReadFile: Sendable {
  /// Without the activities that came in parts before it.
  var content: ActivityFileContent
  /// Whether there were any.
  var hasParts = false
}
