import ArgumentParser
import EchoV1
import TTRPC

/// Calls `echo.v1.Echo/Unary` with 64 bytes of text.
struct EchoLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "echo")

  @OptionGroup var load: LoadOptions
  @Option(help: "The access token that the server asks for.") var token: String?

  func run() async throws {
    let value = String(repeating: "x", count: 64)
    try await load.run(metadata: Metadata(token: token)) { caller, options in
      let answer = try await EchoClient(caller).unary(Msg(value: value), options)
      guard answer.value == value else { throw WrongAnswer(answer) }
    }
  }
}
