import ArgumentParser
import CatalogLoading
import Glibc
import Synchronization

/// `catalog load`: fills the catalog from files ([CA-5]).
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Load reference data from a file.",
    subcommands: [
      LoadGymsCommand.self, LoadBooksCommand.self, LoadRatingsCommand.self, LoadExercisesCommand.self,
      LoadWorkoutsCommand.self, LoadSamplesCommand.self,
    ])
}

/// `catalog load books`.
struct LoadBooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "books",
    abstract: "Load bibliographic records, by which an ISBN fills title, authors, year and language.",
    usage: """
      catalog load books FILE --format goodbooks|openlibrary [--database-url=URL]
             zcat ol_dump_latest.txt.gz | catalog load books - --format openlibrary
      """,
    discussion: """
      A bad record is listed with its line and the reason, and skipped; the rest is loaded, in one transaction. Loading a file \
      again changes nothing. It is the database of catalog's own settings, whose schema `catalog migrate` has made.

      Exit status: 0 loaded, 1 the file or the database cannot be used, 2 wrong usage.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: "What kind of file it is.")
  var format: BookFormat

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let outcome = try await FileLoad.run(file, words) { connection, display, next in
      try await BookLoader(format, report: display.report, progress: display.progress).load(over: connection, next)
    }
    print(outcome)
  }

  private func print(_ outcome: BookLoader.Outcome) {
    let grouped = LoadProgress.grouped
    Swift.print(
      """
      \(grouped(outcome.records)) records: \(grouped(outcome.added)) editions added, \(grouped(outcome.changed)) changed, \
      \(grouped(outcome.removed)) removed, \(grouped(outcome.unchanged)) as they were, \(grouped(outcome.bad)) bad records \
      skipped
      """)
  }
}

extension BookFormat: ExpressibleByArgument {}

/// Tells on standard error how a load goes: on one line of a terminal, else a line every ten seconds.
final class ProgressDisplay: Sendable {
  /// More bad records are counted only.
  private static let mostReported = 1_000

  private let size: Int?
  private let began = ContinuousClock.now
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let state: Mutex<(next: ContinuousClock.Instant, reported: Int)>

  init(of size: Int?) {
    self.size = size
    state = Mutex((began + (isTerminal ? .seconds(1) : .seconds(10)), 0))
  }

  func report(_ bad: BookLoader.BadRecord) {
    let number = state.withLock { state in
      state.reported += 1
      return state.reported
    }
    if number < Self.mostReported { say("line \(bad.line): \(bad.reason)") }
    if number == Self.mostReported { say("line \(bad.line): \(bad.reason); further ones are only counted") }
  }

  func progress(_ bytes: Int, _ records: Int) {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now >= state.next else { return false }
      state.next = now + (isTerminal ? .seconds(1) : .seconds(10))
      return true
    }
    guard isDue else { return }
    let line = "\(LoadProgress(bytes: bytes, of: size, records: records, elapsed: now - began))"
    // Erases the line that was there; the next one is written over this one.
    write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
  }

  func end() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private func say(_ line: String) { write(isTerminal ? "\r\u{1B}[K\(line)\n" : "\(line)\n") }

  private func write(_ text: String) {
    // With standard error gone there is nobody left to tell.
    _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
  }
}
