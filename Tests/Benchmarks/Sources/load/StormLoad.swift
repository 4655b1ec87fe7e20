import ArgumentParser
import Foundation
import Measure
import Synchronization
import TTRPC
import TTRPCClient
import TandemChat
import TandemTracking

/// Users who all come back at the same moment, as phones do after a restart, beside a few others who call as before.
///
/// Each user opens one stream, and tries again later where that is refused, as apps do. What was reached is printed also where it is not all.
struct StormLoad: AsyncParsableCommand {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    /// Connects to the chat and opens the group's conversation; has been told when all members are known to be online.
    case chat
    /// Watches the group; has been told with its snapshot.
    case watch
  }

  static let configuration = CommandConfiguration(commandName: "storm")

  @OptionGroup var live: LiveOptions
  @Option(help: "What the users open: chat or watch.") var kind: Kind
  @Option(help: "The last groups, whose members open nothing, and call meanwhile.") var others = 10
  @Option(help: "Seconds after which the storm is given up.") var limit = 60.0

  func run() async throws {
    try await live.run { all, connections in
      let calm = try LiveConnections(port: live.port, tlsCa: live.tlsCa, count: 2, loops: 1)
      let callers = Callers(groups: all.groups.suffix(others), connections: calm)
      let users = all.groups.dropLast(others).flatMap { group in
        group.members.map { Comer(kind: kind, group: group.id, members: group.members.count, options: .of($0)) }
      }
      let calmEnd = ContinuousClock.now + .seconds(live.seconds)
      let before = try await callers.call { ContinuousClock.now >= calmEnd }
      let storm = Storm(users.count)
      let (during, cpu) = try await withThrowingTaskGroup(of: Void.self) { group in
        let times = CPUTimes(serverPID: live.serverPid)
        for (place, user) in users.enumerated() {
          let (client, executor) = connections[place]
          group.addTask(executorPreference: executor) { await user.come(by: client, storm) }
        }
        let end = ContinuousClock.now + .seconds(limit)
        let during = try await callers.call { storm.isOver || ContinuousClock.now >= end }
        let cpu = times.json
        group.cancelAll()
        try await group.waitForAll()
        return (during, cpu)
      }
      await calm.close()
      print("{\(storm.json),\(before.json("calm")),\(during.json("others")),\(cpu)}")
    }
  }
}

/// How far the users are.
private final class Storm: Sendable {
  private struct State {
    var (opened, told) = (0, 0)
    /// Seconds from the beginning until the last of them.
    var (openedAfter, toldAfter) = (0.0, 0.0)
    var refused: [String: Int] = [:]
  }

  private let count: Int
  private let begun = ContinuousClock.now
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  var isOver: Bool { state.withLock { $0.told == count } }

  func hasOpened() {
    let after = (ContinuousClock.now - begun) / .seconds(1)
    state.withLock { ($0.opened, $0.openedAfter) = ($0.opened + 1, after) }
  }

  func wasTold() {
    let after = (ContinuousClock.now - begun) / .seconds(1)
    state.withLock { ($0.told, $0.toldAfter) = ($0.told + 1, after) }
  }

  func wasRefused(_ reason: String) { state.withLock { $0.refused[reason, default: 0] += 1 } }

  /// As fields.
  var json: String {
    let state = state.withLock { $0 }
    let refused = state.refused.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    return """
      "streams":\(count),"opened":\(state.opened),"opened_s":\(state.openedAfter),"told":\(state.told),\
      "told_s":\(state.toldAfter),"refused":{\(refused)}
      """
  }
}

/// Users who have no streams, each of whom asks for the members of the group now and then.
private struct Callers: Sendable {
  let groups: [LiveGroups.Group]
  let connections: LiveConnections

  /// Microseconds from one call to the next.
  private static let pause: Int64 = 10_000

  init(groups: ArraySlice<LiveGroups.Group>, connections: LiveConnections) {
    (self.groups, self.connections) = (Array(groups), connections)
  }

  /// Calls at an even rate, whatever the answers take; each is counted from the moment at which it was due.
  func call(until isOver: @escaping @Sendable () -> Bool) async throws -> Delays {
    try await withThrowingTaskGroup(of: Int64.self) { tasks in
      var (due, number) = (WallTime.now, 0)
      while !isOver() {
        let group = groups[number % groups.count]
        let token = group.members[number / groups.count % group.members.count]
        let (client, executor) = connections[number]
        let sent = due
        tasks.addTask(executorPreference: executor) {
          _ = try await LocationsClient(client).getMembers(GetMembersRequest(groupIds: [group.id]), .of(token))
          return WallTime.now - sent
        }
        (due, number) = (due + Self.pause, number + 1)
        try await WallTime.sleep(until: due)
      }
      return try await tasks.reduce(into: Delays()) { $0.add($1) }
    }
  }
}

/// A user who comes back.
private struct Comer: Sendable {
  let kind: StormLoad.Kind
  let group: String
  let members: Int
  let options: CallOptions

  /// Seconds until the first attempt after one that was refused, and the most.
  private static let (firstPause, longestPause) = (0.5, 8.0)

  /// Stays until the task is cancelled.
  func come(by client: RPCClient, _ storm: Storm) async {
    var pause = Self.firstPause
    while !Task.isCancelled {
      do {
        switch kind {
        case .chat: try await talk(ChatClient(client), storm)
        case .watch: try await watch(LocationsClient(client), storm)
        }
      } catch {
        if Task.isCancelled { return }
        storm.wasRefused((error as? Status).map { $0.errorInfo?.reason ?? "\($0.code)" } ?? "\(type(of: error))")
      }
      // The wait ends with the task.
      try? await Task.sleep(for: .seconds(pause * Double.random(in: 0.5...1.5)))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func talk(_ chat: ChatClient, _ storm: Storm) async throws {
    try await chat.connect(options) { requests, events in
      try await requests.send(ConnectRequest(request: .open(OpenConversation(conversationID: group))))
      var (online, isTold) = (Set<String>(), false)
      for try await event in events {
        switch event.event {
        case .opened(let opened):
          storm.hasOpened()
          online.formUnion(opened.members.filter(\.online).map(\.userID))
        case .presence(let presence): if presence.online { online.insert(presence.userID) }
        case .refusal(let refusal): throw WrongAnswer(refusal.reason)
        default: continue
        }
        if !isTold, online.count == members {
          isTold = true
          storm.wasTold()
        }
      }
    }
  }

  private func watch(_ locations: LocationsClient, _ storm: Storm) async throws {
    try await locations.watch(options) { requests, responses in
      try await requests.send(WatchRequest(add: [WatchedGroup(groupID: group)]))
      for try await response in responses {
        guard case .snapshot = response.content else { continue }
        storm.hasOpened()
        storm.wasTold()
      }
    }
  }
}
