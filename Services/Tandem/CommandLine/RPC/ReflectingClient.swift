import LoopExecutor
import Reflection
import GoogleRPC
import TTRPC
import TTRPCClient
import TandemRPC

/// Calls methods by the schema that server reflection returns.
final class ReflectingClient: Sendable {
  let target: Target
  let connection: RPCClient
  private let reflection: ReflectionClient

  init(_ target: Target, on executor: LoopExecutor) {
    self.target = target
    var settings = RPCClient.Settings()
    // The connection has only one call: a stream that is written out slowly is paused at the server.
    settings.unreadStreams = .pauseReading
    connection = RPCClient(
      host: target.host, port: target.port, security: target.security, settings: settings, on: executor)
    reflection = ReflectionClient(connection)
  }

  /// Runs `body` with a client on its own threads.
  static func with<R: Sendable>(
    _ target: Target, _ body: @Sendable (ReflectingClient) async throws -> R
  ) async throws -> R {
    let loops = LoopGroup(threads: 1)
    let client = ReflectingClient(target, on: loops.executors[0])
    do {
      let result = try await body(client)
      await client.connection.close()
      try await loops.shutdown()
      return result
    } catch {
      await client.connection.close()
      try await loops.shutdown()
      throw error
    }
  }

  /// The full names of the services at the address.
  func services(_ options: CallOptions) async throws -> [String] {
    try await reaching { try await self.reflection.listServices(.init(), options).services }
  }

  /// The schema of a symbol, with the error details that any call may return.
  ///
  /// - Throws: if there is no such symbol.
  func schema(of symbol: String, _ options: CallOptions) async throws -> Schema {
    do {
      return try await reaching {
        let answer = try await self.reflection.getFileDescriptorSet(.init(symbol: symbol), options)
        var schema = Schema.ofErrors
        try schema.include(fileDescriptorSet: answer.fileDescriptorSet)
        return schema
      }
    } catch let status as TTRPC.Status where status.code == .notFound {
      throw Complaint(
        "\(target.address) has no \(symbol); `tandem rpc list` shows what there is", exitStatus: status.exitStatus)
    }
  }

  /// Calls the method with a message in JSON and returns the response as JSON.
  func call(
    _ method: MethodType, of service: String, _ request: JSONValue, schema: Schema, _ options: CallOptions,
    _ printing: Schema.Printing = .init()
  ) async throws -> JSONValue {
    let message: DynamicMessage
    do { message = try schema.message(method.input, from: request) } catch {
      throw Complaint(usage: "the request does not fit \(method.input): \(error)")
    }
    let descriptor = MethodDescriptor(
      service: service, name: method.name, kind: .unary, access: .public, idempotent: method.isIdempotent)
    let answer = try await connection.callSerialized(descriptor, schema.encode(message), options)
    do { return try schema.json(try schema.decode(answer, as: method.output), printing) } catch {
      throw Complaint("the answer is not a \(method.output): \(error)")
    }
  }

  /// Every service has reflection, so a failure is reported as one of the connection.
  private func reaching<R>(_ call: () async throws -> R) async throws -> R {
    do { return try await call() } catch let status as TTRPC.Status where status.code == .unavailable {
      throw Complaint("there is no connection to \(target.address): \(reason(status.message))")
    }
  }

  /// The cause of a TLS or socket error, with advice.
  private func reason(_ message: String) -> String {
    if message.contains("CERTIFICATE_VERIFY_FAILED") {
      return
        "its certificate has expired, or is not from an authority that is trusted here; name the authority's file by --ca"
    }
    if message.contains("WRONG_VERSION_NUMBER") { return "it does not speak TLS; --plaintext does without" }
    if message.contains("unableToValidateCertificate") || message.contains("noCertificateToValidate") {
      return "its certificate is not for that name; say which name it has by --server-name"
    }
    if message.contains("ECONNREFUSED") || message.contains("errno: 111") || message.contains("Connection refused") {
      return "nobody listens there; `tandem up` starts the suite"
    }
    if case .plaintext = target.security, message.hasSuffix("was lost") || message.contains("errno: 104") {
      return "it ended the connection; it may speak TLS, which --plaintext does without"
    }
    let known = "There is no connection to \(target.address): "
    return message.hasPrefix(known) ? String(message.dropFirst(known.count)) : message
  }
}

extension Schema {
  /// The schema of the standard error details, which any call may return.
  static var ofErrors: Schema {
    var schema = Schema()
    do { try schema.include(fileDescriptorSet: GoogleRPC.FileDescriptors.serialized) } catch {
      preconditionFailure("the contract that is built in cannot be read: \(error)")
    }
    return schema
  }
}

extension TTRPC.Status {
  /// 64 plus the code, so that a script can distinguish refusals from each other and from other failures.
  var exitStatus: Int32 { 64 + code.rawValue }

  /// For `-o json`.
  func json(_ schema: Schema) -> JSONValue {
    .members([
      "code": .integer(code.rawValue), "name": .string(code.name), "message": .string(message),
      "details": .array(
        details.map { detail in
          do { return try schema.json(any: detail.typeURL, detail.value) } catch {
            return .members(["@type": .string(detail.typeURL), "undecodable": .string("\(error)")])
          }
        }),
    ])
  }

  /// For a terminal.
  func text(_ schema: Schema) -> String {
    let lines = (json(schema)["details"]?.array ?? []).map { detail in
      let name = detail["@type"]?.string?.split(separator: ".").last.map(String.init) ?? "detail"
      let fields = JSONValue.object((detail.members ?? []).filter { $0.name != "@type" })
      return "  \(name) \(fields.text(.oneLine))"
    }
    return (["\(code.name) (\(code.rawValue)): \(message)"] + lines).joined(separator: "\n")
  }
}
