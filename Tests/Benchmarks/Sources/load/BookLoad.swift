import ArgumentParser
import TTRPC
import TandemCatalog

/// Calls `tandem.catalog.v1.Books/GetBook` with an access token, for one id after the other.
struct BookLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "book")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let ids = try questions.lines()
    let turns = Turns(of: ids.count)
    try await load.run(metadata: try questions.metadata()) { caller, options in
      let id = ids[turns.next()]
      let answer = try await BooksClient(caller).getBook(GetBookRequest(bookID: id), options)
      guard answer.bookID == id else { throw WrongAnswer(answer) }
    }
  }
}
