import GoogleProtobuf
import GreetingV1
import Logging
import LoopExecutor
import NIOCore
import TTRPC
import TTRPCClient
import TTRPCServer

/// `greeting.v1.Greeter`.
struct Greeter: GreeterService {
  func greet(_ request: GreetRequest, _ context: CallContext) async throws -> GreetResponse {
    guard !request.name.isEmpty else {
      throw Status.invalidArgument([.init(field: "name", description: "A name is needed", reason: "NAME_MISSING")])
    }
    return GreetResponse(text: "Hello, \(request.name)", time: request.time)
  }

  func greetAll(
    _ requests: MessageStream<GreetRequest>, _ responses: MessageWriter<GreetResponse>, _ context: CallContext
  ) async throws {
    for try await request in requests { try await responses.send(try await greet(request, context)) }
  }
}

/// What a call answered that it should not have.
struct WrongAnswer: Error {
  let found: String
}

/// Serves on a free port of the loopback, calls itself over TCP, and stops.
@main
enum Main {
  static func main() async throws {
    let logger = Logger(label: "greeter")
    let group = LoopGroup(threads: 1)
    let server = RPCServer(
      address: try .init(ipAddress: "127.0.0.1", port: 0), security: .plaintext, router: Router([Greeter()]),
      interceptors: [], group: group, logger: logger)
    let address = try await server.start()
    let client = RPCClient(
      host: "127.0.0.1", port: address.port ?? 0, security: .plaintext, on: group.executors[0])
    try await call(GreeterClient(client))
    await client.close()
    await server.stop()
    try await group.shutdown()
    print("served and called")
  }

  private static func call(_ greeter: GreeterClient) async throws {
    let time = Timestamp(seconds: 1_800_000_000, nanos: 5)
    let one = try await greeter.greet(GreetRequest(name: "Ada", time: time))
    guard one.text == "Hello, Ada", one.time == time else { throw WrongAnswer(found: one.text) }
    do {
      throw WrongAnswer(found: try await greeter.greet(GreetRequest()).text)
    } catch let status as Status where status.code == .invalidArgument {}
    do {
      throw WrongAnswer(found: try await greeter.greet(GreetRequest(name: String(repeating: "a", count: 2000))).text)
    } catch let status as Status where status.code == .resourceExhausted {}
    let all = try await greeter.greetAll { requests, responses in
      for name in ["Ada", "Grace"] { try await requests.send(GreetRequest(name: name)) }
      requests.finish()
      var texts: [String] = []
      for try await response in responses { texts.append(response.text) }
      return texts
    }
    guard all == ["Hello, Ada", "Hello, Grace"] else { throw WrongAnswer(found: "\(all)") }
  }
}
