import ArgumentParser
import Foundation
import Synchronization
import TTRPC
import TandemCatalog

/// Calls `tandem.catalog.v1.Gyms/FindNearestGyms`, for one point after the other.
struct NearestLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "nearest")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let points = try questions.lines().map { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2 else { throw ValidationError("a point is a latitude and a longitude: \(line)") }
      return Point(latitude: numbers[0], longitude: numbers[1])
    }
    let turns = Turns(of: points.count)
    try await load.run(metadata: try questions.metadata()) { caller, options in
      let call = FindNearestGymsRequest(point: points[turns.next()], pageSize: 20)
      let answer = try await GymsClient(caller).findNearestGyms(call, options)
      guard answer.gyms.count == 20 else { throw WrongAnswer(answer) }
    }
  }
}

/// Calls `tandem.catalog.v1.Gyms/SearchGyms`, for one text after the other.
struct GymSearchLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "gym-search")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let texts = try questions.lines()
    let turns = Turns(of: texts.count)
    try await load.run(metadata: try questions.metadata()) { caller, options in
      let call = SearchGymsRequest(query: texts[turns.next()], pageSize: 20)
      _ = try await GymsClient(caller).searchGyms(call, options)
    }
  }
}

/// The queries of a logged-in user.
struct Questions: ParsableArguments {
  @Option(help: "JSON with an access_token, as the Go client's journey leaves it.") var newcomer: String
  @Option(help: "A file with a question on each line.") var queries: String

  private struct Newcomer: Decodable {
    let accessToken: String
  }

  func lines() throws -> [String] {
    try String(contentsOfFile: queries, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  func metadata() throws -> Metadata {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let newcomer = try decoder.decode(Newcomer.self, from: Data(contentsOf: URL(fileURLWithPath: newcomer)))
    return ["authorization": "Bearer \(newcomer.accessToken)"]
  }
}

/// Returns the numbers below `count` in turn, over and over.
final class Turns: Sendable {
  private let count: Int
  private let taken = Atomic(0)

  init(of count: Int) { self.count = count }

  func next() -> Int { taken.wrappingAdd(1, ordering: .relaxed).oldValue % count }
}
