import ArgumentParser
import GRPCCore
import GRPCEcho
import GRPCNIOTransportHTTP2
import GRPCProtobuf
import Measure

/// Loads the grpc-swift-2 server over one connection and prints what it saw as one line of JSON.
@main
struct Client: AsyncParsableCommand {
  /// As the subcommands of our own load.
  enum Kind: String, ExpressibleByArgument {
    case echo, down, up
  }

  @Argument var kind = Kind.echo
  @Option var port: Int
  @Option var callers: Int
  @Option var seconds = 2.0
  @Option var warm = 0.5
  @Option var serverPid: Int32
  @Option var messages = 20_000

  func run() async throws {
    let load = ClosedLoop(callers: callers, warm: warm, measured: seconds, serverPID: serverPid)
    let transport = try HTTP2ClientTransport.Posix(
      target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext)
    let kind = kind
    let messages = messages
    let seen = try await withGRPCClient(transport: transport) { client in
      let echo = Echo(client: client)
      return try await load.run {
        switch kind {
        case .echo: try await echo.unary(String(repeating: "x", count: 64))
        case .down: try await echo.expand(messages)
        case .up: try await echo.collect(messages)
        }
      }
    }
    print(seen.json)
  }
}

/// The calls, each with the check of its answer.
private struct Echo: Sendable {
  let client: GRPCClient<HTTP2ClientTransport.Posix>

  func unary(_ value: String) async throws {
    let answer = try await client.unary(
      request: ClientRequest(message: Msg(value)), descriptor: unaryEcho, serializer: ProtobufSerializer<Msg>(),
      deserializer: ProtobufDeserializer<Msg>(), options: .defaults
    ) { try $0.message }
    guard answer.value == value else { throw ValidationError("answered \(answer.value)") }
  }

  func expand(_ messages: Int) async throws {
    let count = try await client.serverStreaming(
      request: ClientRequest(message: Msg("v:\(messages)")), descriptor: expandEcho,
      serializer: ProtobufSerializer<Msg>(), deserializer: ProtobufDeserializer<Msg>(), options: .defaults
    ) { response in
      var count = 0
      for try await _ in response.messages { count += 1 }
      return count
    }
    guard count == messages else { throw ValidationError("\(count) messages came") }
  }

  func collect(_ messages: Int) async throws {
    let answer = try await client.clientStreaming(
      request: StreamingClientRequest(of: Msg.self) { writer in
        let message = Msg("x")
        for _ in 0..<messages { try await writer.write(message) }
      }, descriptor: collectEcho, serializer: ProtobufSerializer<Msg>(), deserializer: ProtobufDeserializer<Msg>(),
      options: .defaults
    ) { try $0.message }
    guard answer.value.utf8.count == 2 * messages - 1 else { throw ValidationError("answered something else") }
  }
}
