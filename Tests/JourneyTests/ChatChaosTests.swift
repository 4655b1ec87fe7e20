import Environment
import Foundation
import LoopExecutor
import TTRPCClient
import TandemChat
import TandemTracking
import TestSupport
import Testing

/// Members of a group who talk while replicas of tracking, and the database server, are killed.
///
/// `make chaos` runs the same with more messages and kills; `CHAOS_SEED` repeats a run's choices.
@Suite("a chat while everything is killed", .ownThreads, .serialized, .timeLimit(.minutes(60)))
struct ChatChaosTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let messages = number("CHAOS_MESSAGES", 60)
  private let senders = number("CHAOS_SENDERS", 4)
  private let readers = number("CHAOS_READERS", 4)
  private let kills = number("CHAOS_CHAT_KILLS", 3)
  private let seed = UInt64(number("CHAOS_SEED", 1))

  private enum Part: Int { case first, second, database }

  @Test(
    "[TR-32] [TR-33] T-1: every acknowledged message is seen by every reader once and in order, and every edit and deletion, whatever is killed or cut"
  )
  func killed() async throws {
    let cluster = try PrivateCluster.start()
    try await TestDatabase.with(TrackingSuite.schemas, at: cluster.url) { database in
      try await TrackingSuite.run(on: database) { suite in
        print("chaos: \(senders) senders, \(readers) readers, \(messages) messages each, \(kills) kills, seed \(seed)")
        let joined = Gathered<ThreeServices.Member>()
        for number in 0..<senders + readers { joined.add(try await suite.users.joinPatiently("user\(number)")) }
        let members = joined.all
        let group = try await suite.group(of: members)
        let replicas = try ChatReplicas(suite)
        defer { replicas.end() }
        let loops = LoopGroup(threads: 2)
        let clients = try replicas.clients(on: loops)
        for client in clients {
          try await suite.wait(for: LocationsClient(client), toShow: members.count, of: group, to: members[0])
        }
        let talk = ChatTalk(at: clients.map { ChatClient($0) }, in: group, users: suite.users)
        let start = ContinuousClock.now
        let seen = try await withThrowingTaskGroup(of: ChatView?.self) { tasks in
          for reader in 0..<readers {
            tasks.addTask {
              // Half of them end their streams themselves, too.
              let cuts = reader.isMultiple(of: 2) ? SeededRandomness(seed: seed &+ UInt64(reader)) : nil
              return try await talk.read(as: members[senders + reader], at: reader, cutBy: cuts)
            }
          }
          try await withThrowingTaskGroup { group in
            for sender in 0..<senders {
              let texts = (0..<messages).map { "\(sender): \($0)" }
              group.addTask {
                let sent = try await talk.send(texts, as: members[sender], at: sender)
                try await talk.changeInReverse(sent, as: members[sender], at: sender)
              }
            }
            try await kill(replicas, cluster, talk)
            try await group.waitForAll()
          }
          _ = try await talk.send([ChatTalk.end], as: members[0], at: 0)
          return try await tasks.reduce(into: [ChatView]()) { if let seen = $1 { $0.append(seen) } }
        }
        print("chaos: \(talk.acknowledged.all.count) messages were acknowledged in \(ContinuousClock.now - start)")
        print("chaos: \(talk.changed.all.count) of them were edited or deleted")
        print("chaos: \(seen.map(\.arrivals.count)) were seen, over \(talk.interruptions.all.count) interruptions")
        #expect(talk.acknowledged.all.count == senders * messages + 1, "seed \(seed)")
        #expect(talk.changed.all.count == senders * ChatTalk.changes(of: messages), "seed \(seed)")
        let complaints = talk.complaints(seen)
        #expect(complaints.isEmpty, "seed \(seed): \(complaints.prefix(5))")
        let whole =
          "select count(*) = max(sequence) and count(*) = count(distinct sequence) from tracking.chat_messages"
        #expect(try await suite.users.value(whole) == "t", "seed \(seed): the stored numbers have gaps")
        try await suite.users.expectInvariants(of: ["identity", "tracking"], "seed \(seed)")
        for client in clients { await client.close() }
        try await loops.shutdown()
      }
    }
  }

  /// Kills one of them after the other, each once enough was acknowledged since the one before.
  private func kill(_ replicas: ChatReplicas, _ cluster: PrivateCluster, _ talk: ChatTalk) async throws {
    let chance = SeededRandomness(seed: seed)
    for kill in 0..<kills {
      let due = senders * (messages + ChatTalk.changes(of: messages)) * (kill + 1) / (kills + 1)
      // A run is as long as it takes: the suite's limit ends one that stands still.
      while talk.acknowledged.all.count + talk.changed.all.count < due { try await Task.sleep(for: .milliseconds(2)) }
      switch Part(rawValue: Int(chance.uint64() % 3)) {
      case .database:
        try cluster.stopServer(mode: "immediate")
        try cluster.startServer()
      case .first: try replicas.restart(0)
      case .second, nil: try replicas.restart(1)
      }
    }
  }
}

/// Two replicas of tracking, each of which can be killed and started again at its address.
private final class ChatReplicas {
  private let suite: TrackingSuite
  private var processes: [TrackingProcess]

  private static let settings = ["--chat-lease", "5s"]

  init(_ suite: TrackingSuite) throws {
    self.suite = suite
    processes = try (0..<2).map { _ in try TrackingProcess(suite, Self.settings) }
  }

  func clients(on loops: LoopGroup) throws -> [RPCClient] {
    let security = try suite.certificates.client(of: "tracking")
    return processes.map { RPCClient(host: "127.0.0.1", port: $0.port, security: security, on: loops.executors[0]) }
  }

  /// Kills one as by `kill -9`, and starts it again.
  func restart(_ replica: Int) throws {
    let port = processes[replica].port
    processes[replica].kill()
    processes[replica] = try TrackingProcess(suite, Self.settings, port: port)
  }

  func end() {
    for process in processes { process.kill() }
  }
}
