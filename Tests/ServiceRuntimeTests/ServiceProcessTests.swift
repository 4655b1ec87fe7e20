import Cryptography
import Foundation
import GRPCHealth
import Identifiers
import Logging
import LoopExecutor
import NotesStore
import NIOPosix
import Postgres
import TTRPC
import TTRPCClient
import TestSupport
import Testing

@testable import ServiceRuntime

/// A database of the shared server's that one test has to itself.
func freshDatabase(_ name: String) async throws -> String {
  let cluster = try TestCluster.shared()
  let database = "\(name)_\(UInt32.random(in: 0 ... .max))"
  _ = try await Administration.session(cluster.url) { session in
    try session.run("create database \(Administration.quoted(identifier: database))")
  }
  return cluster.url(database: database)
}

@Suite("A service as a process", .ownThreads, .timeLimit(.minutes(5)))
struct ServiceProcessTests {
  @Test("a bad setting is one line and status 2")
  func badSetting() async throws {
    let ending = try await ServiceProcess.run(
      ["--plaintext", "--database-url", "postgresql://x@h/t"], environment: ["TANDEM_LISTEN": "nowhere"])
    #expect(ending.status == 2 && ending.output.isEmpty)
    #expect(
      ending.complaints == [
        "notes: setting listen: \"nowhere\" of TANDEM_LISTEN is not a host and a port such as 127.0.0.1:7401, [::1]:7401 or 0.0.0.0:0"
      ])
  }

  @Test("everything that is missing is said at once, a line each, with status 2")
  func missing() async throws {
    let ending = try await ServiceProcess.run([])
    #expect(ending.status == 2)
    #expect(
      ending.complaints.map { $0.prefix(36) } == [
        "notes: setting database-url is not s", "notes: no certificate: give --tls-ce",
      ])
  }

  @Test("a missing certificate is one line and status 2")
  func missingCertificate() async throws {
    let ending = try await ServiceProcess.run([
      "serve", "--database-url=postgresql://x@h/t", "--tls-cert=/nowhere.pem", "--tls-key=/nowhere.key",
    ])
    #expect(ending.status == 2)
    #expect(
      ending.complaints.filter { !$0.hasPrefix("{") }
        == ["notes: the certificate (tls-cert) /nowhere.pem cannot be read: no such file or directory"])
  }

  @Test(
    "a message that would be longer than what may be buffered of its connection is refused at the start, with every setting that is too small"
  )
  func messagesBeyondBuffers() async throws {
    let ending = try await ServiceProcess.run([
      "serve", "--plaintext", "--database-url=postgresql://x@h/t", "--max-buffered-mib-per-connection=1",
      "--max-unread-mib-per-stream=2", "--max-buffered-mib=3",
    ])
    #expect(ending.status == 2)
    let lines = ending.complaints.filter { !$0.hasPrefix("{") }
    #expect(
      lines
        == [("max-buffered-mib", 3), ("max-buffered-mib-per-connection", 1), ("max-unread-mib-per-stream", 2)].map {
          name, mebibytes in
          "notes: setting max-message-bytes: 4194304 is more than \(name) lets wait, which is \(mebibytes << 20) bytes; "
            + "lower --max-message-bytes to that or raise --\(name)"
        })
  }

  @Test("a name to listen on that nobody knows is said to be one")
  func unknownHost() async throws {
    let ending = try await ServiceProcess.run([
      "--database-url=postgresql://x@h/t", "--plaintext", "--listen=nobody.invalid:7402",
    ])
    #expect(ending.status == 1)
    #expect(
      ending.complaints.filter { !$0.hasPrefix("{") } == [
        "notes: cannot listen on nobody.invalid:7402: the name cannot be resolved; set --listen or TANDEM_LISTEN"
      ])
  }

  @Test("help begins with examples and lists every setting; config lists them with their values")
  func help() async throws {
    let help = try await ServiceProcess.run(["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("EXAMPLES:\n  notes --plaintext"))
    #expect(help.output.contains("postgresql://tandem_notes:"), "the role that `tandem provision` makes")
    let config = try await ServiceProcess.run(
      ["config", "-o", "json"], environment: ["TANDEM_NOTES_DATABASE_URL": "postgresql://m:secret@h/t"])
    #expect(config.status == 0 && !config.output.contains("secret@"))
    for setting in RuntimeSettings.all {
      #expect(help.output.contains("  --\(setting.key)"))
      #expect(config.output.contains("{\"setting\": \"\(setting.key)\""))
    }
    #expect(try await ServiceProcess.run(["--version"]).output == "notes \(Release.version)\n")
    #expect(try await ServiceProcess.run(["config", "-o", "yaml"]).status == 2)
  }

  @Test("migrates, is ready, says where, and stops with status 0 when told to", arguments: [SIGTERM, SIGINT])
  func lifeCycle(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/ready.json"
    let service = try ServiceProcess(
      ["--plaintext", "--ready-file", file], environment: ["TANDEM_DATABASE_URL": try await freshDatabase("life")])
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    let ready = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
    let admin = try #require(HostPort(ready["admin"] as? String ?? ""))
    #expect(ready["pid"] as? Int32 == service.pid && HostPort(ready["rpc"] as? String ?? "") != nil)
    #expect(try await request(admin, "GET /readyz").hasSuffix("ready\ndatabase: ok\nmigrations: ok\n"))
    service.signal(signal)
    let ending = try await service.ending()
    #expect(ending.status == 0 && ending.complaints.last?.contains("\"stopped\"") == true)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("told to stop, it is not ready before it ends its streams, tells them to connect again, and ends with status 0")
  func drain() async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/ready.json"
    let service = try ServiceProcess(
      ["--plaintext", "--ready-file", file], environment: ["TANDEM_DATABASE_URL": try await freshDatabase("drain")])
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    let ready = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
    let (admin, rpc) = try #require(
      HostPort(ready["admin"] as? String ?? "").map { ($0, HostPort(ready["rpc"] as? String ?? "")) })
    let loops = LoopGroup(threads: 1)
    let client = RPCClient(
      host: "127.0.0.1", port: try #require(rpc).port, security: .plaintext, on: loops.executors[0])
    let status = try await #require(throws: Status.self) {
      try await HealthClient(client).watch(HealthCheckRequest()) { responses in
        var iterator = responses.makeAsyncIterator()
        _ = try await iterator.next()
        service.signal(SIGTERM)
        // The stream stays open for a while, and the operators' port to the end.
        while try await !request(admin, "GET /readyz").contains("running: the service is stopping") {}
        while try await iterator.next() != nil {}
      }
    }
    #expect(status.code == .unavailable && status.errorInfo?.reason == "SERVER_STOPPED")
    #expect(status.retryAfter != nil)
    #expect(try await service.ending().status == 0)
    await client.close()
    try await loops.shutdown()
  }

  @Test("a taken port is one line that says who has it, and status 1")
  func takenPort() async throws {
    let readiness = Readiness()
    let taken = try await AdminServer.start(
      on: HostPort(host: "127.0.0.1", port: 0), group: .singletonMultiThreadedEventLoopGroup, readiness: readiness,
      registry: .init(), logger: Logger(label: "admin"))
    let ending = try await ServiceProcess.run(
      ["--plaintext", "--listen", "\(taken.address)", "--database-url", "postgresql://x@127.0.0.1:1/t"])
    #expect(ending.status == 1)
    let line = try #require(ending.complaints.first { $0.hasPrefix("notes: ") })
    #expect(line.hasPrefix("notes: cannot listen on \(taken.address): the address is taken by "))
    #expect(line.contains(" (pid ") && line.hasSuffix("); stop it or set --listen or TANDEM_LISTEN"))
    await taken.close()
  }

  @Test("without its database it is live but not ready, and heals when the database comes")
  func databaseAway() async throws {
    let cluster = try await NIOThreadPool.singleton.runIfActive { try PrivateCluster.start() }
    try await NIOThreadPool.singleton.runIfActive { try cluster.stopServer(mode: "fast") }
    let service = try ServiceProcess(["--plaintext", "--database-url", cluster.url])
    let listening = try #require(try await service.line(containing: "\"listening\""))
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(listening.utf8)) as? [String: String])
    let admin = try #require(HostPort(fields["admin"] ?? ""))
    #expect(try await service.line(containing: "waiting for the database")?.contains("Connection refused") == true)
    #expect(try await request(admin, "GET /livez").contains("200 OK"))
    #expect(try await request(admin, "GET /readyz").hasPrefix("HTTP/1.1 503"))

    try await NIOThreadPool.singleton.runIfActive { try cluster.startServer() }
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    #expect(try await request(admin, "GET /readyz").hasPrefix("HTTP/1.1 200"))

    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
  }

  @Test("a certificate that has expired is told of at the start")
  func expiredCertificate() async throws {
    let folder = try TemporaryFolder()
    let past = Instant(microseconds: 0)
    let authority = try CertificateAuthority(name: "Test authority", now: past, lifetime: .seconds(60))
    let pair = try authority.issue(
      commonName: "notes", names: [.dns("localhost")], now: past, lifetime: .seconds(60))
    let (certificate, key) = ("\(folder.path)/tls.crt", "\(folder.path)/tls.key")
    try Data(pair.certificatePEM.utf8).write(to: URL(fileURLWithPath: certificate))
    try Data(pair.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: key))
    let service = try ServiceProcess([
      "--tls-cert", certificate, "--tls-key", key, "--database-url", "postgresql://x@127.0.0.1:1/t",
    ])
    let line = try await service.line(containing: "the certificate has expired")
    #expect(line?.contains("\"level\":\"error\"") == true && line?.contains("1970-01-01") == true, "\(line ?? "")")
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
  }

  @Test("is told to stop while it waits for its database: status 0")
  func stoppedWhileWaiting() async throws {
    let service = try ServiceProcess(["--plaintext", "--database-url", "postgresql://x@127.0.0.1:1/t"])
    #expect(try await service.line(containing: "waiting for the database") != nil)
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
  }

  @Test("an edited migration stops both commands with one line and status 1")
  func editedMigration() async throws {
    let url = try await freshDatabase("edited")
    let steps = (1...NotesSchema.migrations.count).map(String.init).joined(separator: ", ")
    let version = "schema notes is at version \(NotesSchema.migrations.count)"
    let first = try await ServiceProcess.run(["migrate", "--database-url", url])
    #expect(first.status == 0 && first.output == "\(version): ran \(steps)\n")
    let again = try await ServiceProcess.run(["migrate", "--database-url", url])
    #expect(again.status == 0 && again.output == "\(version): nothing to do\n")
    _ = try await Administration.session(url) { session in
      try session.run("update notes.schema_migrations set checksum = 'of another text'")
    }
    for command in ["migrate", "serve"] {
      let ending = try await ServiceProcess.run([command, "--plaintext", "--database-url", url])
      #expect(ending.status == 1)
      #expect(
        ending.complaints.contains { $0.hasPrefix("notes: migration 1 (notes) was edited after it was run") },
        "\(ending.complaints)")
    }
  }

  @Test("migrate says what the database refuses, with status 1")
  func refusingDatabase() async throws {
    let url = try TestCluster.shared().url(database: "postgres", role: "nobody_here")
    let ending = try await ServiceProcess.run(["migrate", "--database-url", url])
    #expect(ending.status == 1 && ending.complaints.count == 1)
    #expect(ending.complaints.last?.contains("role \"nobody_here\" does not exist") == true)
    #expect(ending.complaints.last?.hasSuffix("check --database-url or TANDEM_DATABASE_URL") == true)
  }
}
