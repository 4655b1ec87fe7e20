import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem rpc`.
struct RPCCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rpc", abstract: "Find out what servers offer and call it; needs no proto files.",
    usage: """
      tandem rpc list
      tandem rpc list tandem.identity.v1.Accounts
      tandem rpc describe tandem.identity.v1.Accounts/Register
      tandem rpc call tandem.identity.v1.Accounts/Login -d '{"emailOrUsername": "ada", "password": "…"}'
      tandem rpc call tandem.identity.v1.Profiles/GetProfile -d '{"username": "ada"}' --token "$TOKEN"
      """,
    discussion: ExitStatuses.text, subcommands: [ListCommand.self, DescribeCommand.self, CallCommand.self])
}

enum ExitStatuses {
  static let text = """
    Exit status: 0 done, 1 no connection, 2 wrong usage (also a request that does not fit), else 64 + the code of the \
    status that the server answered with: 67 INVALID_ARGUMENT, 68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 70 ALREADY_EXISTS, \
    71 PERMISSION_DENIED, 72 RESOURCE_EXHAUSTED, 73 FAILED_PRECONDITION, 74 ABORTED, 76 UNIMPLEMENTED, 77 INTERNAL, \
    78 UNAVAILABLE, 80 UNAUTHENTICATED.
    """
}

/// `tandem rpc call`.
struct CallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Call a method.",
    usage: """
      tandem rpc call tandem.identity.v1.Profiles/ListProfileOptions
      tandem rpc call tandem.identity.v1.Accounts/Login -d '{"emailOrUsername": "ada", "password": "…"}'
      tandem rpc call tandem.identity.v1.Accounts/Register -d @ < register.json
      tandem rpc call tandem.identity.v1.Profiles/GetProfile -d '{"username": "ada"}' --token "$TOKEN" --max-time 2
      tandem rpc call grpc.health.v1.Health/Check --address example.org:7401 --ca authority.crt
      """,
    discussion: """
      The request and the answer are JSON in protobuf's mapping: names in lowerCamelCase or as the proto file has them, \
      64-bit integers as strings, bytes in base64, enums by name or number, timestamps as "2026-11-21T03:50:00Z", \
      durations as "1.5s", field masks as "interests,timeZone". A google.type.Date may also be written "2001-02-03".

      A refused call is told on standard error: code, message, details.

      \(ExitStatuses.text)
      """)

  @Argument(help: ArgumentHelp("package.Service/Method", valueName: "method"))
  var method: String

  @Option(
    name: [.customShort("d"), .customLong("data")],
    help: ArgumentHelp(
      "The request in JSON; @ reads it from standard input, @FILE from a file; default {}.", valueName: "json"))
  var data = "{}"

  @Flag(help: "Show fields at their default too, which the answer does not carry.")
  var emitDefaults = false

  @OptionGroup var call: CallSettings
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var form: OutputOption

  func run() async throws {
    guard let name = MethodName(method) else {
      throw Complaint(usage: "\(method) is not of the form package.Service/Method")
    }
    let request = try json()
    let (options, json, emitsDefaults) = (call.options, form.output == .json, emitDefaults)
    try await ReflectingClient.with(try connection.target(for: name.service)) { client in
      let schema = try await client.schema(of: name.service, options)
      guard let type = schema.services[name.service]?.method(named: name.method) else {
        throw Complaint("\(name.service) has no method \(name.method)", exitStatus: 64 + Code.unimplemented.rawValue)
      }
      guard !type.clientStreams, !type.serverStreams else {
        throw Complaint(usage: "\(name.service)/\(name.method) is a stream, which this command does not call yet")
      }
      var printing = Schema.Printing()
      printing.showsDefaults = emitsDefaults
      do {
        let answer = try await client.call(type, of: name.service, request, schema: schema, options, printing)
        write(answer.text(json ? .oneLine : .indented) + "\n", to: STDOUT_FILENO)
      } catch let status as Status {
        tell(json ? status.json(schema).text(.oneLine) : status.text(schema))
        throw ExitCode(status.exitStatus)
      }
    }
  }

  private func json() throws(Complaint) -> JSONValue {
    let text: String
    switch data {
    case "@": text = try input()
    case _ where data.hasPrefix("@"):
      guard let content = Files.text(String(data.dropFirst())) else {
        throw Complaint(usage: "\(data.dropFirst()) cannot be read: \(systemMessage())")
      }
      text = content
    default: text = data
    }
    do { return try JSONValue(parsing: text) } catch { throw Complaint(usage: "the request is not JSON: \(error)") }
  }

  private func input() throws(Complaint) -> String {
    guard isatty(STDIN_FILENO) == 0 else {
      throw Complaint(usage: "-d @ reads the request from standard input, which is a terminal; pipe it in")
    }
    return Files.text("/dev/stdin") ?? ""
  }
}
