import ArgumentParser
import Foundation
import Measure
import TTRPC
import TTRPCClient
import TandemImporter

/// Uploads a file by `tandem.importer.v1.Activities/ImportFile` and prints how long it took and what was found.
struct UploadLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "upload")

  @OptionGroup var server: SecuredServer
  @Option(help: "A file with an access token on its first line.") var tokens: String
  @Option(help: "The file.") var path: String
  @Option(
    help: """
      Days for which the part of the file between its first and its last line is sent, with the date of each day, the last one today, in the \
      place of every 0000-00-00; 0 sends the file as it is.
      """)
  var days = 0

  private static let chunk = 64 << 10

  func run() async throws {
    let user = CallOptions.token(try Lines.of(tokens)[0], timeout: .seconds(600))
    let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let days = days
    let begun = monotonicNanoseconds()
    let (done, count) = try await server.withClients { clients in
      try await ActivitiesClient(clients[0]).importFile(user) { requests, responses in
        var responses = responses.makeAsyncIterator()
        var (sent, limit) = (0, 0)
        for part in Self.parts(of: text, days: days) {
          for start in stride(from: 0, to: part.count, by: Self.chunk) {
            let end = min(start + Self.chunk, part.count)
            while sent + end - start > limit {
              let response = try await responses.next()
              guard case .byteLimit(let bytes)? = response?.step else { throw WrongAnswer(response) }
              limit = Int(bytes)
            }
            try await requests.send(ImportFileRequest(chunk: Array(part[start..<end])))
            sent += end - start
          }
        }
        requests.finish()
        while let response = try await responses.next() {
          if case .result(let done)? = response.step { return (done, sent) }
        }
        throw WrongAnswer(sent)
      }
    }
    let seconds = Double(monotonicNanoseconds() - begun) / 1e9
    print(
      """
      {"seconds":\(seconds),"bytes":\(count),"activities":\(done.newActivities),"steps":\(done.stepDays),"sleeps":\(done.sleeps),\
      "id":"\(done.activityIds.first ?? "")"}
      """)
  }

  /// The file in one piece, or its first line, a piece for each day, and its last line.
  private static func parts(of text: [UInt8], days: Int) -> AnySequence<[UInt8]> {
    let newline = UInt8(ascii: "\n")
    guard days > 0, let first = text.firstIndex(of: newline), let last = text.dropLast().lastIndex(of: newline) else {
      return AnySequence([text])
    }
    let (head, day, foot) = (Array(text[...first]), Array(text[(first + 1)...last]), Array(text[(last + 1)...]))
    let mark = Array("0000-00-00".utf8)
    let places = day.indices.dropLast(mark.count).filter { day[$0] == mark[0] && day[$0..<$0 + 10].elementsEqual(mark) }
    let today = Date()
    let format = DateFormatter()
    (format.dateFormat, format.timeZone) = ("yyyy-MM-dd", .gmt)
    let dated = (0..<days).lazy.map { number -> [UInt8] in
      var copy = day
      let date = Array(format.string(from: today.addingTimeInterval(Double(number - days) * 86_400)).utf8)
      for place in places { copy.replaceSubrange(place..<place + 10, with: date) }
      return copy
    }
    return AnySequence([AnySequence([head]), AnySequence(dated), AnySequence([foot])].lazy.joined())
  }
}

/// Connects a tracker and prints how long it takes until its first import has ended, and what was found. The provider accepts any code.
struct ImportTrackerLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "import-tracker")

  @OptionGroup var server: SecuredServer
  @Option(help: "A file with an access token on its first line.") var tokens: String
  @Option(help: "The provider's id.") var provider = "strava"

  func run() async throws {
    let user = CallOptions.token(try Lines.of(tokens)[0], timeout: .seconds(30))
    let provider = provider
    let (seconds, last) = try await server.withClients { clients in
      let trackers = TrackersClient(clients[0])
      let start = try await trackers.startConnection(StartConnectionRequest(provider: provider), user)
      let items = URLComponents(string: start.authorizationURL)?.queryItems ?? []
      guard let state = items.first(where: { $0.name == "state" })?.value else { throw WrongAnswer(start) }
      let begun = monotonicNanoseconds()
      let tracker = try await trackers.completeConnection(CompleteConnectionRequest(state: state, code: "code"), user)
      guard var last = tracker.lastImport else { throw WrongAnswer(tracker) }
      let running = GetImportRequest(importID: last.importID)
      while ![.succeeded, .failed, .cancelled].contains(last.state) {
        // A small part of what an import takes.
        try await Task.sleep(for: .milliseconds(20))
        last = try await trackers.getImport(running, user)
      }
      return (Double(monotonicNanoseconds() - begun) / 1e9, last)
    }
    guard last.state == .succeeded else { throw WrongAnswer(last) }
    print("{\"seconds\":\(seconds),\"activities\":\(last.activityCount)}")
  }
}

/// Calls `tandem.importer.v1.Activities/SummarizeActivities`, for one question after the other: a period, two dates and a zone between spaces.
struct SummaryLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "summarize")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let calls = try questions.lines().map { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, let period = Self.periods[words[0]] else {
        throw ValidationError("a question is a period, two dates and a zone: \(line)")
      }
      let (from, to) = (try Self.numbers(words[1]), try Self.numbers(words[2]))
      return SummarizeActivitiesRequest(
        period: period, fromDate: .init(year: from[0], month: from[1], day: from[2]),
        toDate: .init(year: to[0], month: to[1], day: to[2]), timeZone: words[3])
    }
    let turns = Turns(of: calls.count)
    try await load.run(metadata: try questions.metadata()) { caller, options in
      let answer = try await ActivitiesClient(caller).summarizeActivities(calls[turns.next()], options)
      guard !answer.summaries.isEmpty else { throw WrongAnswer(answer) }
    }
  }

  private static let periods: [String: SummaryPeriod] = ["day": .day, "week": .week, "month": .month]

  /// Year, month and day.
  private static func numbers(_ text: String) throws -> [Int32] {
    let numbers = text.split(separator: "-").compactMap { Int32($0) }
    guard numbers.count == 3 else { throw ValidationError("no date: \(text)") }
    return numbers
  }
}
