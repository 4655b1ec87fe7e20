import ArgumentParser
import GRPCHealth
import Logging
import LoopExecutor
import Postgres
import ProtobufDescriptor
import ServiceLifecycle
import TTRPC
import TTRPCClient
import TandemRPC
import Testing

@testable import ServiceRuntime

/// A service with one method for users and one that fails on demand, and no tables.
struct Probe: TandemService {
  static let service = ServiceDescription(
    name: "probe", purpose: "Is tested", migrations: [Migration(version: 1, name: "nothing", sql: "select 1")])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(services: [ProbeMethods()], authenticator: NobodyKnown())
  }

  static let fail = MethodDescriptor(
    service: "test.v1.Probe", name: "Fail", kind: .unary, access: .public, idempotent: true)
  static let guarded = MethodDescriptor(
    service: "test.v1.Probe", name: "Guarded", kind: .unary, access: .user, idempotent: true)
}

private struct ProbeMethods: RPCService {
  static let serviceName = "test.v1.Probe"

  func register(in router: inout Router) {
    router.unary(Probe.fail) { (request: HealthCheckRequest, _: CallContext) async throws -> HealthCheckResponse in
      switch request.service {
      case "away": throw PostgresError(kind: .unavailable, sqlState: "08006", message: "internal text")
      case "busy": throw PostgresError(kind: .overloaded, sqlState: "53000", message: "internal text")
      case "other": throw PostgresError(sqlState: "23505", message: "internal text", constraint: "x_key")
      default: throw PostgresError(sqlState: SQLState(request.service), message: "internal text")
      }
    }
    router.unary(Probe.guarded) { (_: HealthCheckRequest, _: CallContext) async throws -> HealthCheckResponse in
      HealthCheckResponse(status: .serving)
    }
  }
}

private struct NobodyKnown: Authenticator {
  func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
    throw Status(.unauthenticated, reason: "TOKEN_EXPIRED", "The access token has expired")
  }
}

@Suite("A service in this process", .timeLimit(.minutes(5)))
struct ServiceHostTests {
  /// Runs the probe while `body` calls it.
  func withProbe(
    _ url: String, _ body: (ServiceHost, RPCClient) async throws -> Void
  ) async throws {
    let settings = try Settings.resolve(
      Probe.service.allSettings, service: "probe",
      from: SettingSources(arguments: ["--plaintext", "--threads=1", "--database-url=\(url)"]))
    let host = try await ServiceHost.start(
      Probe.self, settings: settings, logger: Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() })
    let loops = LoopGroup(threads: 1)
    let client = RPCClient(
      host: "127.0.0.1", port: host.rpcAddress.port, security: .plaintext, on: loops.executors[0])
    let result: Result<Void, any Error>
    async let running: Void = host.run()
    do { result = .success(try await body(host, client)) } catch { result = .failure(error) }
    await client.close()
    await host.stop()
    try await running
    try await loops.shutdown()
    try result.get()
  }

  func refusal(_ client: RPCClient, _ method: MethodDescriptor, _ text: String = "") async throws -> Status {
    try await #require(throws: Status.self) {
      let _: HealthCheckResponse = try await client.call(
        method, HealthCheckRequest(service: text), .token("x", timeout: .seconds(60)))
    }
  }

  @Test("health is of the whole, of each service, and of nothing else")
  func health() async throws {
    try await withProbe(try await freshDatabase("health")) { host, client in
      #expect(await host.becameReady)
      let health = HealthClient(client)
      for name in ["", "test.v1.Probe", "grpc.health.v1.Health", "tandem.rpc.v1.Reflection"] {
        #expect(try await health.check(HealthCheckRequest(service: name)).status == .serving)
      }
      let unknown = try await refusal(client, HealthMethods.check, "test.v1.Nothing")
      #expect(unknown.code == .notFound && unknown.errorInfo?.reason == "UNKNOWN_SERVICE")
    }
  }

  @Test("while its database is away calls are UNAVAILABLE with a time to retry, and health says not serving")
  func databaseAway() async throws {
    try await withProbe("postgresql://x@127.0.0.1:1/t") { host, client in
      let status = try await refusal(client, Probe.fail)
      #expect(status.code == .unavailable && status.retryAfter == .seconds(1))
      #expect(try await HealthClient(client).check(HealthCheckRequest()).status == .notServing)
      #expect(try await ReflectionClient(client).listServices(ListServicesRequest()).services.count == 3)
    }
  }

  @Test("[C-3] a failing database is told as what a client can do about it, never as what it said")
  func databaseErrors() async throws {
    try await withProbe(try await freshDatabase("errors")) { host, client in
      #expect(await host.becameReady)
      let away = try await refusal(client, Probe.fail, "away")
      #expect(away.code == .unavailable && away.errorInfo?.reason == "DATABASE_UNAVAILABLE")
      #expect(away.retryAfter == .seconds(1))
      let busy = try await refusal(client, Probe.fail, "busy")
      #expect(busy.code == .resourceExhausted && busy.retryAfter == .seconds(1))
      let other = try await refusal(client, Probe.fail, "other")
      #expect(other.code == .internal && other.retryAfter == nil)
      for status in [away, busy, other] { #expect(!status.message.contains("internal text")) }
    }
  }

  @Test("[C-3] a database that cannot do it now says so, and when to try again")
  func transientDatabaseErrors() async throws {
    try await withProbe(try await freshDatabase("transient")) { host, client in
      #expect(await host.becameReady)
      let expected: [(sqlState: String, code: Code, reason: String, retryAfter: Duration)] = [
        ("40001", .aborted, "CONCURRENT_CHANGE", .zero), ("40P01", .aborted, "CONCURRENT_CHANGE", .zero),
        ("57014", .unavailable, "DATABASE_SLOW", .seconds(1)),
        ("25006", .unavailable, "DATABASE_READ_ONLY", .seconds(1)),
        ("53100", .resourceExhausted, "DATABASE_FULL", .seconds(60)),
      ]
      for (sqlState, code, reason, retryAfter) in expected {
        let status = try await refusal(client, Probe.fail, sqlState)
        #expect(status.code == code && status.errorInfo?.reason == reason)
        #expect(status.retryAfter == retryAfter && !status.message.contains("internal text"))
      }
    }
  }

  @Test("[C-1] a method for users asks for a token, and the service's authenticator judges it")
  func authentication() async throws {
    try await withProbe(try await freshDatabase("auth")) { host, client in
      #expect(await host.becameReady)
      #expect(try await refusal(client, Probe.guarded).errorInfo?.reason == "TOKEN_EXPIRED")
      let missing = try await #require(throws: Status.self) {
        let _: HealthCheckResponse = try await client.call(Probe.guarded, HealthCheckRequest(), .default)
      }
      #expect(missing.code == .unauthenticated && missing.errorInfo?.reason == "TOKEN_MISSING")
    }
  }

  @Test("reflection names the services")
  func reflectedServices() async throws {
    try await withReflection { reflection in
      let services = try await reflection.listServices(ListServicesRequest()).services
      #expect(services == ["grpc.health.v1.Health", "tandem.rpc.v1.Reflection", "test.v1.Probe"])
    }
  }

  @Test(
    "reflection describes a symbol with everything that its file imports",
    arguments: [
      "tandem.rpc.v1.Reflection", "tandem.rpc.v1.Reflection.ListServices", "tandem.rpc.v1.ListServicesRequest",
    ])
  func reflectedSymbol(symbol: String) async throws {
    try await withReflection { reflection in
      let answer = try await reflection.getFileDescriptorSet(GetFileDescriptorSetRequest(symbol: symbol))
      let files = try FileDescriptorSet(serialized: answer.fileDescriptorSet).file
      #expect(
        files.map(\.name) == [
          "google/protobuf/descriptor.proto", "tandem/rpc/v1/options.proto", "tandem/rpc/v1/reflection.proto",
        ])
    }
  }

  @Test(
    "reflection refuses a symbol that it cannot describe, in a short message however long the symbol is",
    arguments: [
      ("no.Symbol", "SYMBOL_NOT_FOUND"), (String(repeating: "x", count: 60_000), "SYMBOL_NOT_FOUND"),
      (String(repeating: "x", count: 4_000_000), "MESSAGE_TOO_LARGE"),
    ])
  func unknownSymbol(symbol: String, reason: String) async throws {
    try await withReflection { reflection in
      let refused = try await #require(throws: Status.self) {
        try await reflection.getFileDescriptorSet(GetFileDescriptorSetRequest(symbol: symbol))
      }
      #expect(refused.errorInfo?.reason == reason && refused.message.utf8.count < 300)
    }
  }

  @Test("[C-2] reflection asked for no symbol names the field")
  func noSymbol() async throws {
    try await withReflection { reflection in
      let empty = try await #require(throws: Status.self) {
        try await reflection.getFileDescriptorSet(GetFileDescriptorSetRequest())
      }
      #expect(empty.code == .invalidArgument && empty.badRequest?.fieldViolations.map(\.field) == ["symbol"])
    }
  }

  private func withReflection(_ body: @escaping @Sendable (ReflectionClient) async throws -> Void) async throws {
    try await withProbe(try await freshDatabase("reflection")) { host, client in
      #expect(await host.becameReady)
      try await body(ReflectionClient(client))
    }
  }
}
