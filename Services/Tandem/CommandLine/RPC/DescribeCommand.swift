import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem rpc describe`.
struct DescribeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe", abstract: "Show what a service, method, message or enum is, as its proto file says it.",
    usage: """
      tandem rpc describe tandem.identity.v1.Accounts
      tandem rpc describe tandem.identity.v1.Accounts/Register
      tandem rpc describe tandem.identity.v1.Profile -o json
      """, discussion: ExitStatuses.text)

  @Argument(help: ArgumentHelp("A full name.", valueName: "symbol"), completion: .custom(Completions.symbols))
  var symbol: String

  @OptionGroup var call: CallSettings
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var form: OutputOption

  func run() async throws {
    let name = symbol.split(separator: "/").joined(separator: ".")
    let options = call.options
    let schema = try await ReflectingClient.with(try connection.target(for: name)) { client in
      try await client.schema(of: name, options)
    }
    CompletionCache(in: connection.home).note(schema)
    guard let description = SymbolDescription(name, in: schema) else { throw Complaint("there is no \(symbol)") }
    write((form.output == .json ? description.json.text() : description.text) + "\n", to: STDOUT_FILENO)
  }
}
