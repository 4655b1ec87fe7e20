import Environment
import Cryptography
import EchoV1
import Foundation
import LoopExecutor
import NIOSSL
import ProtobufC
import TTRPC
import TTRPCClient
import TTRPCWire
import TestSupport
import Testing

@Suite("The echo server", .ownThreads, .timeLimit(.minutes(5)))
struct EchoServerTests {
  private func withClient<Result>(
    port: Int, _ security: RPCClient.Security = .plaintext, _ body: (EchoClient) async throws -> Result
  ) async throws -> Result {
    let group = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: port, security: security, on: group.executors[0])
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(EchoClient(client))) } catch { result = .failure(error) }
    await client.close()
    try await group.shutdown()
    return try result.get()
  }

  @Test("drains on SIGTERM: what runs is answered, what is new refused, and it ends well")
  func drains() async throws {
    let server = try EchoProcess(["--grace", "600"])
    let socket = try RawSocket(port: server.port)
    // A call that ends when this test wants it to: an upload.
    try socket.send(RawSocket.request(stream: 1, method: "Collect", flags: 2, text: "first"))
    try socket.send(RawSocket.request(stream: 3, method: "Unary", text: "before"))
    _ = try socket.readFrames { $0.streamID == 3 }
    server.terminate()
    try await socket.waitForInput()
    let notice = try #require(try socket.readFrames { _ in true }.first)
    #expect(try notice.streamID == 0 && RawSocket.status(notice).errorInfo?.reason == "DRAINING")
    try socket.send(RawSocket.request(stream: 5, method: "Unary", text: "after"))
    try socket.send(RawSocket.frame(stream: 1, type: 3, flags: 0, Msg(value: "last").serialized()))
    try socket.send(RawSocket.frame(stream: 1, type: 3, flags: 5, []))
    let frames = try socket.readToEnd()
    #expect(frames.map(\.streamID) == [5, 1])
    #expect(try RawSocket.status(frames[0]).errorInfo?.reason == "DRAINING")
    #expect(try TTRPCWire.Response(serialized: frames[1].body).payload == Msg(value: "first,last").serialized())
    let status = try await server.exitStatus()
    #expect(status == 0)
  }

  @Test("lets only clients in that have a certificate of the authority that it is told")
  func mutualTLS() async throws {
    let files = try CertificateFiles()
    let server = try EchoProcess([
      "--tls-cert", files.certificate, "--tls-key", files.key, "--tls-client-ca", files.authority,
    ])
    let answer = try await withClient(port: server.port, try files.client(.shown)) { echo in
      try await echo.unary(Msg(value: "known"), CallOptions(timeout: .seconds(30))).value
    }
    #expect(answer == "known")
    await #expect(throws: Status.self) {
      try await withClient(port: server.port, try files.client(.none)) { echo in
        try await echo.unary(Msg(value: "unknown"), CallOptions(timeout: .seconds(30)))
      }
    }
  }
}

/// An authority with one certificate, in files that go with it.
private final class CertificateFiles {
  enum OwnCertificate { case shown, none }

  private let folder: URL
  let certificate: String
  let key: String
  let authority: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("echo-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let now = SystemClock().now
    let issuer = try CertificateAuthority(name: "test", now: now, lifetime: .seconds(3_600))
    let pair = try issuer.issue(
      commonName: "localhost", names: [.dns("localhost")], now: now, lifetime: .seconds(3_600))
    func write(_ text: String, to name: String) throws -> String {
      let file = folder.appendingPathComponent(name)
      try text.write(to: file, atomically: false, encoding: .utf8)
      return file.path
    }
    certificate = try write(pair.certificatePEM, to: "own.pem")
    key = try write(pair.privateKeyPEM, to: "own.key")
    authority = try write(issuer.identity.certificatePEM, to: "ca.pem")
    self.folder = folder
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func client(_ own: OwnCertificate) throws -> RPCClient.Security {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authority))
    if own == .shown {
      configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
      configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
    }
    return .tls(try NIOSSLContext(configuration: configuration), serverName: "localhost")
  }
}
