import LoopExecutor
import TTRPCClient
import TandemChat
import TandemTracking
import TestSupport
import Testing

/// Two replicas of tracking on one database, of which one is killed while members of a group talk.
@Suite("two replicas of the chat, one killed", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct ChatReplicaTests {
  private static let messages = 60

  @Test(
    "[TR-31] [TR-32] messages have one order without gaps, none acknowledged is lost, and a killed replica's users go offline",
    arguments: ["LISTEN/NOTIFY", "NATS"])
  func killed(_ bus: String) async throws {
    let nats = bus == "NATS" ? try await NATSProcess.start() : nil
    let settings = ["--chat-lease", "3s"] + (nats.map { ["--bus-url", "nats://\($0.address)"] } ?? [])
    try await TrackingSuite.with { suite in
      var members: [ThreeServices.Member] = []
      for name in ["ada", "alan", "grace", "linus", "mary"] { members.append(try await suite.users.join(name)) }
      let group = try await suite.group(of: members)
      let replicas = [try TrackingProcess(suite, settings), try TrackingProcess(suite, settings)]
      defer { for replica in replicas { replica.kill() } }
      let loops = LoopGroup(threads: 1)
      let security = try suite.certificates.client(of: "tracking")
      let clients = replicas.map {
        RPCClient(host: "127.0.0.1", port: $0.port, security: security, on: loops.executors[0])
      }
      for client in clients { try await suite.wait(for: LocationsClient(client), toShow: 5, of: group, to: members[0]) }
      let talk = ChatTalk(at: clients.map { ChatClient($0) }, in: group, users: suite.users)
      let seen = try await talk.all(members, Self.messages) { replicas[0].kill() }
      #expect(talk.acknowledged.all.count == 2 * Self.messages + 1)
      #expect(talk.complaints(seen) == [])
      for client in clients { await client.close() }
      try await loops.shutdown()
    }
    nats?.stop()
  }
}

extension ChatTalk {
  /// Has two members send and two read, one of each at either replica, while a fifth is online at the first.
  ///
  /// - Parameter kill: kills the first replica, called when half is sent.
  /// - Returns: what each reader saw.
  fileprivate func all(
    _ members: [ThreeServices.Member], _ count: Int, killing kill: @escaping @Sendable () -> Void
  ) async throws -> [ChatView] {
    let (opened, absent) = (Gathered<String>(), members[4])
    return try await withThrowingTaskGroup(of: ChatView?.self) { tasks in
      tasks.addTask {
        try await stay(as: absent, at: 0, opened)
        return nil
      }
      for reader in 0..<2 { tasks.addTask { try await read(as: members[2 + reader], at: reader) } }
      try await until("the fifth is online") { !opened.all.isEmpty }
      try await withThrowingTaskGroup { senders in
        for sender in 0..<2 {
          let texts = (0..<count).map { "\(sender): \($0)" }
          senders.addTask { try await send(texts, as: members[sender], at: sender) }
        }
        try await until("half is sent") { acknowledged.all.count >= count }
        kill()
        try await senders.waitForAll()
      }
      try await until("the fifth is offline") {
        presence.all.contains { $0.userID == absent.id && !$0.online && $0.text == "disconnected from the group" }
      }
      try await send([Self.end], as: members[0], at: 1)
      return try await tasks.reduce(into: []) { if let seen = $1 { $0.append(seen) } }
    }
  }
}
