import Foundation
import LoopExecutor
import NIOPosix
import NotesV1
import TTRPC
import TTRPCClient
import TestSupport
import Testing

@testable import ServiceRuntime

/// A service as a process, whose URL names two servers, of which the one that takes writes hangs.
@Suite("A service whose primary hangs", .ownThreads, .timeLimit(.minutes(5)))
struct FrozenPrimaryTests {
  private static let asAda = CallOptions.token("ada", timeout: .seconds(10))

  @Test("[O-1] readyz says 503 while the primary hangs; once another stands, writes go on, and nothing was restarted")
  func frozenPrimary() async throws {
    let (primary, standby) = try await NIOThreadPool.singleton.runIfActive {
      let primary = try PrivateCluster.start()
      return (primary, try primary.startStandby())
    }
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/ready.json"
    let service = try ServiceProcess([
      "--plaintext", "--ready-file", file, "--database-url",
      "postgresql://postgres@\(primary.address),\(standby.address)/postgres?target_session_attrs=read-write",
    ])
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    let ready = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
    let admin = try #require(HostPort(ready["admin"] as? String ?? ""))
    let rpc = try #require(HostPort(ready["rpc"] as? String ?? ""))
    let loops = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: rpc.port, security: .plaintext, on: loops.executors[0])
    let notes = NotesClient(client)
    _ = try await notes.createNote(CreateNoteRequest(note: Note(text: "before")), Self.asAda)

    try await NIOThreadPool.singleton.runIfActive { try primary.freeze() }
    try await until("it is not ready") { try await request(admin, "GET /readyz").hasPrefix("HTTP/1.1 503") }
    let refused = await #expect(throws: Status.self) {
      try await notes.createNote(CreateNoteRequest(note: Note(text: "meanwhile")), Self.asAda)
    }
    #expect(refused?.isTransient == true, "\(String(describing: refused))")

    try await NIOThreadPool.singleton.runIfActive { try standby.promote() }
    try await until("it writes again") {
      (try? await notes.createNote(CreateNoteRequest(note: Note(text: "after")), Self.asAda)) != nil
    }
    try await until("it is ready") { try await request(admin, "GET /readyz").hasPrefix("HTTP/1.1 200") }

    await client.close()
    try await loops.shutdown()
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
    try await NIOThreadPool.singleton.runIfActive {
      try primary.thaw()
      try primary.stopServer(mode: "immediate")
      try standby.stopServer(mode: "immediate")
    }
  }
}

extension Status {
  /// Whether the same call may succeed later.
  fileprivate var isTransient: Bool { code == .unavailable || code == .deadlineExceeded }
}
