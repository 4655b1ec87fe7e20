import ArgumentParser
import EchoV1
import TTRPC

/// Calls `echo.v1.Echo/Expand`, again and again: many short messages from the server on each stream.
struct DownLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "down")

  @OptionGroup var load: LoadOptions
  @Option(help: "The access token that the server asks for.") var token: String?
  @Option(help: "Messages of one stream.") var messages = 20_000

  func run() async throws {
    let messages = messages
    let request = Msg(value: "v:\(messages)")
    try await load.run(metadata: Metadata(token: token)) { caller, options in
      let count = try await EchoClient(caller).expand(request, options) { responses in
        var count = 0
        for try await _ in responses { count += 1 }
        return count
      }
      guard count == messages else { throw WrongAnswer(count) }
    }
  }
}

/// Calls `echo.v1.Echo/Collect`, again and again: many short messages to the server on each stream.
struct UpLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "up")

  @OptionGroup var load: LoadOptions
  @Option(help: "The access token that the server asks for.") var token: String?
  @Option(help: "Messages of one stream.") var messages = 20_000

  func run() async throws {
    let messages = messages
    let request = Msg(value: "x")
    try await load.run(metadata: Metadata(token: token)) { caller, options in
      let answer = try await EchoClient(caller).collect(options) { requests in
        for _ in 0..<messages { try await requests.send(request) }
      }
      guard answer.value.utf8.count == 2 * messages - 1 else { throw WrongAnswer(answer.value.utf8.count) }
    }
  }
}

extension Metadata {
  /// The credentials for a server that requires `token`.
  init(token: String?) {
    self = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
  }
}
