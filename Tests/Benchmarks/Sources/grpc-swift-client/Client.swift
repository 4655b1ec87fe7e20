import ArgumentParser
import GRPCCore
import GRPCEcho
import GRPCNIOTransportHTTP2
import GRPCProtobuf
import Measure

/// Loads the grpc-swift-2 server over one connection and prints what it saw as one line of JSON.
@main
struct Client: AsyncParsableCommand {
  @Option var port: Int
  @Option var callers: Int
  @Option var seconds = 2.0
  @Option var warm = 0.5
  @Option var serverPid: Int32

  func run() async throws {
    let load = ClosedLoop(callers: callers, warm: warm, measured: seconds, serverPID: serverPid)
    let transport = try HTTP2ClientTransport.Posix(
      target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext)
    let seen = try await withGRPCClient(transport: transport) { client in
      let value = String(repeating: "x", count: 64)
      let message = Msg(value)
      return try await load.run {
        let answer = try await client.unary(
          request: ClientRequest(message: message), descriptor: unaryEcho, serializer: ProtobufSerializer<Msg>(),
          deserializer: ProtobufDeserializer<Msg>(), options: .defaults
        ) { try $0.message }
        guard answer.value == value else { throw ValidationError("answered \(answer.value)") }
      }
    }
    print(seen.json)
  }
}
