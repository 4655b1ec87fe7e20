import Reflection
import TTRPC
import TTRPCClient
import TandemIdentity
import TestSupport
import Testing

/// One call of the table: its caller, and what it is about.
struct Scene {
  let world: World
  let caller: Role
  /// The user who calls; the owner if the caller is not a user.
  var subject: CastMember
  /// The values of the names in requests so far.
  var values: [String: String] = [:]
  /// Another user, new for each row.
  let someone: CastMember

  init(_ world: World, _ caller: Role, someone: CastMember) {
    (self.world, self.caller, self.someone) = (world, caller, someone)
    subject =
      switch caller {
      case .stranger: world.cast.stranger
      case .member: world.cast.member
      case .blocked: world.cast.blocked
      default: world.cast.owner
      }
  }

  /// The options of the call.
  func options() async throws -> CallOptions {
    switch caller {
    case .stranger, .member, .owner, .blocked: return try await subject.options(at: world.identity)
    case .revoked:
      let options = try await subject.options(at: world.identity)
      _ = try await AccountsClient(world.identity.client()).logout(LogoutRequest(), options)
      return options
    default: return .patient
    }
  }

  /// Replaces the names in braces by their values.
  mutating func filled(_ template: String) async throws -> String {
    var (text, rest) = ("", template[...])
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      let name = rest[rest.index(after: open)...].prefix { $0.isLetter }
      guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
        text.append("{")
        rest = rest[rest.index(after: open)...]
        continue
      }
      text += try await value(String(name))
      rest = rest[rest.index(after: name.endIndex)...]
    }
    return text + rest
  }

  private mutating func value(_ name: String) async throws -> String {
    if let known = values[name] { return known }
    try await prepare(name)
    return try #require(values[name], "nothing is known of {\(name)}")
  }
}

// MARK: The call

extension Scene {
  /// Makes the call of a row at a server.
  mutating func outcome(
    of row: AccessTable.Row, _ service: String, at server: RunningServer, _ schema: Schema, by way: Way
  ) async throws -> Outcome {
    let method = try #require(
      schema.services[service]?.method(named: row.method), "\(server.name) has no \(service)/\(row.method)")
    let requests = row.isRead(from: caller) ? try await requests(of: row) : ["{}"]
    let options = try await options()
    if caller == .revoked { try await waitForNews(of: options, to: server, schema) }
    do {
      let answers: [DynamicMessage]
      switch way {
      case .direct:
        let messages = try requests.map {
          schema.encode(try schema.message(method.input, from: JSONValue(parsing: $0)))
        }
        let call = SerializedCall(
          service: service, method: method, messages: messages, answers: row.answers, options: options)
        let client = server.client(caller.certificate)
        answers = try await call.answers(through: client).map { try schema.decode($0, as: method.output) }
      case .gateway(let gateway):
        let texts = try await gateway.answers(
          "\(service)/\(row.method)", isStream: method.clientStreams || method.serverStreams, requests,
          wanted: row.answers, token: options.metadata["authorization"])
        answers = try texts.map { try schema.message(method.output, from: JSONValue(parsing: $0)) }
      }
      return .answered(answers.reduce(into: []) { $0.formUnion(schema.fieldPaths(of: $1)) })
    } catch let status as Status {
      return .refused(status.code, status.reason ?? "")
    }
  }
}

/// How a call gets to its server.
enum Way: Sendable {
  /// By ttrpc, from the caller.
  case direct
  /// By HTTP, through the gateway.
  case gateway(RunningGateway)
}

extension Scene {
  /// Prepares what the row needs, and fills in its requests.
  private mutating func requests(of row: AccessTable.Row) async throws -> [String] {
    for step in row.steps { try await perform(step) }
    var requests: [String] = []
    for request in row.requests { requests.append(try await filled(request)) }
    return requests
  }

  /// Other services refuse an ended session once they have received identity's event ([ID-7]).
  private func waitForNews(of ended: CallOptions, to server: RunningServer, _ schema: Schema) async throws {
    // Any method without effects that checks the token will do. A server without such a method refuses no session.
    guard server.name != world.identity.name, let (service, method) = schema.harmless else { return }
    let call = SerializedCall(service: service, method: method, messages: [[]], answers: 1, options: ended)
    try await eventually("\(server.name) hears that a session has ended") {
      do { _ = try await call.answers(through: server.client()) } catch let status as Status {
        if status.reason == "TOKEN_REVOKED" { return true }
      }
      return nil
    }
  }
}

extension Schema {
  /// A method for users that may be called at any time.
  fileprivate var harmless: (service: String, method: MethodType)? {
    for (name, service) in services {
      if let method = service.methods.first(where: {
        $0.access == "user" && $0.isIdempotent && !$0.clientStreams && !$0.serverStreams
      }) {
        return (name, method)
      }
    }
    return nil
  }
}

/// A call by the schema that reflection returns.
private struct SerializedCall {
  let service: String
  let method: MethodType
  let messages: [[UInt8]]
  let answers: Int
  let options: CallOptions

  func answers(through client: RPCClient) async throws -> [[UInt8]] {
    let descriptor = MethodDescriptor(
      service: service, name: method.name, kind: kind, access: .public, idempotent: method.isIdempotent)
    if kind == .unary { return [try await client.callSerialized(descriptor, messages.first ?? [], options)] }
    let only = method.clientStreams ? nil : messages.first ?? []
    return try await client.streamSerialized(descriptor, only, options) { writer, responses in
      if method.clientStreams { try await send(to: writer) }
      var received: [[UInt8]] = []
      for try await response in responses {
        received.append(response)
        if received.count == answers { break }
      }
      return received
    }
  }

  private func send(to writer: RequestWriter<[UInt8]>) async throws {
    do {
      for message in messages { try await writer.send(message) }
      if !method.serverStreams || answers == .max { writer.finish() }
    } catch {
      // The call has ended; the reader of the responses gets its status.
    }
  }

  private var kind: MethodKind {
    switch (method.clientStreams, method.serverStreams) {
    case (false, false): .unary
    case (true, false): .clientStreaming
    case (false, true): .serverStreaming
    case (true, true): .bidirectional
    }
  }
}
