import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem rpc list`.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List services, or the methods of one.",
    usage: """
      tandem rpc list
      tandem rpc list tandem.identity.v1.Accounts
      tandem rpc list --address example.org:7401 --ca authority.crt -o json
      """, discussion: ExitStatuses.text)

  @Argument(
    help: ArgumentHelp("A service's full name; without one, the services are listed.", valueName: "service"),
    completion: .custom(Completions.services))
  var service: String?

  @OptionGroup var call: CallSettings
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var form: OutputOption

  func run() async throws {
    let names = if let service { try await methods(of: service) } else { try await services() }
    let text = names.joined(separator: "\n")
    write((form.output == .json ? JSONValue.array(names.map(JSONValue.string)).text() : text) + "\n", to: STDOUT_FILENO)
  }

  private func services() async throws -> [String] {
    var names: Set<String> = []
    let options = call.options
    let cache = CompletionCache(in: connection.home)
    for target in try connection.targets() {
      let found = try await ReflectingClient.with(target) { client in
        let found = try await client.services(options)
        // Fills the completion cache.
        for service in found { cache.note(try await client.schema(of: service, options)) }
        return found
      }
      names.formUnion(found)
    }
    return names.sorted()
  }

  private func methods(of service: String) async throws -> [String] {
    let options = call.options
    let cache = CompletionCache(in: connection.home)
    return try await ReflectingClient.with(try connection.target(for: service)) { client in
      let schema = try await client.schema(of: service, options)
      cache.note(schema)
      guard let type = schema.services[service] else { throw Complaint("\(service) is not a service") }
      return type.methods.map { "\(service)/\($0.name)" }
    }
  }
}
