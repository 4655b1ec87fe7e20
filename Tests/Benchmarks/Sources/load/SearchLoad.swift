import ArgumentParser
import Foundation
import Synchronization
import TTRPC
import TandemCatalog

/// Calls `tandem.catalog.v1.Books/SearchBooks` with an access token, for one text after the other.
struct SearchLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "search")

  @OptionGroup var load: LoadOptions
  @Option(help: "JSON with an access_token, as the Go client's journey leaves it.") var newcomer: String
  @Option(help: "A file with a text on each line.") var queries: String

  private struct Newcomer: Decodable {
    let accessToken: String
  }

  /// Returns ascending numbers.
  private final class Turns: Sendable {
    let next = Atomic(0)
  }

  func run() async throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let newcomer = try decoder.decode(Newcomer.self, from: Data(contentsOf: URL(fileURLWithPath: newcomer)))
    let texts = try String(contentsOfFile: queries, encoding: .utf8).split(separator: "\n").map(String.init)
    let turns = Turns()
    try await load.run(metadata: ["authorization": "Bearer \(newcomer.accessToken)"]) { caller, options in
      let number = turns.next.wrappingAdd(1, ordering: .relaxed).oldValue
      let call = SearchBooksRequest(query: texts[number % texts.count], pageSize: 20)
      _ = try await BooksClient(caller).searchBooks(call, options)
    }
  }
}
