import ArgumentParser
import LoopExecutor
import Measure
import NIOSSL
import TTRPC
import TTRPCClient

/// Loads a service of the suite over one connection, from one event loop, and prints what it saw as one line of JSON.
@main
struct Load: AsyncParsableCommand {
  static let configuration = CommandConfiguration(subcommands: [
    EchoLoad.self, DownLoad.self, UpLoad.self, ProfileLoad.self, RegisterLoad.self, LoginLoad.self, RefreshLoad.self,
    FirstAccessToken.self, SearchLoad.self, BookLoad.self, NearestLoad.self, GymSearchLoad.self, LoansLoad.self,
    ExerciseSearchLoad.self, LogWorkoutLoad.self, BrowseLoad.self, JoinLoad.self, JoinRace.self, AccessTokens.self,
    UploadLoad.self, ImportTrackerLoad.self, SummaryLoad.self, LocationLoad.self, ChatLoad.self, StormLoad.self,
  ])
}

/// The flags that every load has.
struct LoadOptions: ParsableArguments {
  @Option(help: "The server's port on 127.0.0.1.") var port: Int
  @Option(help: "Callers that run at once.") var callers: Int
  @Option(help: "Seconds that count.") var seconds = 2.0
  @Option(help: "Seconds before them.") var warm = 0.5
  @Option(help: "The server's process, whose CPU time is read.") var serverPid: Int32
  @Option(
    help: "A PEM file with the authority that signed the server's certificate; without it the connection is plaintext.")
  var tlsCa: String?

  /// Runs `call` in a closed loop where its connection lives, with what a real caller sends along: a deadline and a trace.
  func run(
    metadata: Metadata = Metadata(), _ call: @escaping @Sendable (any RPCChannel, CallOptions) async throws -> Void
  ) async throws {
    let group = LoopGroup(threads: 1)
    let executor = group.executors[0]
    let client = RPCClient(host: "127.0.0.1", port: port, security: try security(), on: executor)
    var sent = metadata
    sent.append("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    let options = CallOptions(timeout: .seconds(5), metadata: sent)
    let load = ClosedLoop(callers: callers, warm: warm, measured: seconds, serverPID: serverPid)
    let seen = try await load.run(on: executor) { try await call(client, options) }
    await client.close()
    try await group.shutdown()
    print(seen.json)
  }

  private func security() throws -> RPCClient.Security {
    guard let tlsCa else { return .plaintext }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(tlsCa)
    configuration.minimumTLSVersion = .tlsv13
    return .tls(try NIOSSLContext(configuration: configuration), serverName: "localhost")
  }
}

/// An answer that is not what was asked for.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String

  init(_ answer: some Any) {
    description = "the answer was wrong: \(answer)"
  }
}
