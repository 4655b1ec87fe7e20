import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem rpc call`.
struct CallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Call a method.",
    usage: """
      tandem rpc call tandem.identity.v1.Profiles/ListProfileOptions
      tandem rpc call tandem.identity.v1.Accounts/Login -d '{"emailOrUsername": "ada", "password": "…"}'
      tandem rpc call tandem.identity.v1.Accounts/Register -d @ < register.json
      tandem rpc call tandem.identity.v1.Profiles/GetProfile -d '{"username": "ada"}' --token "$TOKEN" --max-time 2 -v
      tandem rpc call tandem.lending.v1.Loans/ListMyRequests --token-of ada --watch
      tandem rpc call grpc.health.v1.Health/Watch
      tandem rpc call echo.v1.Echo/Chat --address localhost:7000 --plaintext -d '{"value": "one"}' -d '{"value": "two"}'
      tail -f positions.jsonl | tandem rpc call example.v1.Positions/Follow --address example.org:7401 --ca authority.crt
      """,
    discussion: """
      The request and the answer are JSON in protobuf's mapping: names in lowerCamelCase or as the proto file has them, \
      64-bit integers as strings, bytes in base64, enums by name or number, timestamps as "2026-11-21T03:50:00Z", \
      durations as "1.5s", field masks as "interests,timeZone". A google.type.Date may also be written "2001-02-03".

      A method that takes a stream gets one message from each -d, in order; @ stands for the lines of standard input, a \
      message each, which is also what it gets without any -d. After the last one the stream is half-closed, which ends \
      a subscription: `-d '{…}' -d @` keeps it open. A method that answers with a stream has each answer written at \
      once, in one line. Ctrl-C half-closes a stream that is still being sent, and leaves any other.

      A refused call is told on standard error: code, message, details, and what to do about it. -v tells there too what is sent along and how \
      long everything took.

      \(ExitStatuses.text)
      """)

  @Argument(
    help: ArgumentHelp("package.Service/Method", valueName: "method"), completion: .custom(Completions.methods))
  var method: String

  @Option(
    name: [.customShort("d"), .customLong("data")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A request in JSON; @ reads standard input, @FILE a file; default {}, for a stream @. May be repeated for a stream.",
      valueName: "json"), completion: .custom(Completions.fields))
  var data: [String] = []

  @Flag(help: "Call again each second, and write an answer that differs from the one before, until Ctrl-C.")
  var watch = false

  @Flag(help: "Show fields at their default too, which the answer does not carry.")
  var emitDefaults = false

  @Flag(name: .shortAndLong, help: "Tell what is sent along and how long everything took.")
  var verbose = false

  @OptionGroup var call: CallSettings
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var form: OutputOption

  /// Between the calls of `--watch`.
  private static let watchPause = Duration.seconds(1)

  mutating func run() async throws {
    try await call.findToken(in: connection.place)
    try await perform()
  }

  private func perform() async throws {
    guard let name = MethodName(method) else {
      throw Complaint(usage: "\(method) is not of the form package.Service/Method")
    }
    let began = ContinuousClock.now
    let target = try connection.target(for: name.service)
    let cache = CompletionCache(in: connection.home)
    try await ReflectingClient.with(target) { client in
      let schema = try await client.schema(of: name.service, call.options)
      cache.note(schema)
      guard let type = schema.services[name.service]?.method(named: name.method) else {
        throw Complaint("\(name.service) has no method \(name.method)", exitStatus: 64 + Code.unimplemented.rawValue)
      }
      let journal = CallJournal(isTold: verbose, began: began)
      journal.tellCall(name, of: type, at: target, options(for: type))
      do {
        try await perform(CalledMethod(type: type, service: name.service, schema: schema), client, journal)
        journal.tellEnd("OK")
      } catch let status as Status {
        journal.tellEnd(status.code.name)
        tell(form.output == .json ? status.advisingJSON(schema).text(.oneLine) : status.advisingText(schema))
        throw ExitCode(status.exitStatus)
      }
    }
  }

  private func perform(_ method: CalledMethod, _ client: ReflectingClient, _ journal: CallJournal) async throws {
    var method = method
    method.printing.showsDefaults = emitDefaults
    let options = options(for: method.type)
    guard method.type.isStream else {
      return try await performUnary(method, try method.encode(try RequestParts(data).only()), client, journal)
    }
    if watch { throw Complaint(usage: "--watch is for methods with one answer: this one has a stream of them") }
    try await StreamedCall(
      client: client, method: method, options: options, parts: RequestParts(data), journal: journal
    )
    .run()
  }

  private func performUnary(
    _ method: CalledMethod, _ request: [UInt8], _ client: ReflectingClient, _ journal: CallJournal
  ) async throws {
    var last: String?
    repeat {
      journal.sent(request.count)
      let answer = try await client.connection.callSerialized(method.descriptor, request, call.options)
      journal.received(answer.count)
      let text = try method.json(answer).text(form.output == .json ? .oneLine : .indented)
      if text != last { write(text + "\n", to: STDOUT_FILENO) }
      last = text
      if watch { try await Task.sleep(for: Self.watchPause) }
    } while watch
  }

  /// A stream has no default deadline; only an explicit limit ends it.
  private func options(for type: MethodType) -> CallOptions {
    type.isStream ? call.options(unlessSaid: nil) : call.options
  }
}

/// A method to call, with the schema that maps its messages to JSON and back.
struct CalledMethod: Sendable {
  let type: MethodType
  let service: String
  let schema: Schema
  var printing = Schema.Printing()

  var descriptor: MethodDescriptor {
    MethodDescriptor(
      service: service, name: type.name, kind: type.kind, access: .public, idempotent: type.isIdempotent)
  }

  /// Serializes a request.
  func encode(_ request: JSONValue) throws(Complaint) -> [UInt8] {
    let message: DynamicMessage
    do { message = try schema.message(type.input, from: request) } catch {
      throw Complaint(usage: "the request does not fit \(type.input): \(error)")
    }
    return schema.encode(message)
  }

  /// Decodes a response.
  func json(_ answer: [UInt8]) throws(Complaint) -> JSONValue {
    do { return try schema.json(try schema.decode(answer, as: type.output), printing) } catch {
      throw Complaint("the answer is not a \(type.output): \(error)")
    }
  }
}

extension MethodType {
  var isStream: Bool { clientStreams || serverStreams }

  var kind: MethodKind {
    switch (clientStreams, serverStreams) {
    case (false, false): .unary
    case (true, false): .clientStreaming
    case (false, true): .serverStreaming
    case (true, true): .bidirectional
    }
  }
}
