import ArgumentParser
import Foundation
import Measure
import Synchronization
import TTRPC
import TTRPCClient
import TandemChat
import TandemTracking

/// All users open a stream at once, as after a restart of the service, beside one who was there and calls 50 times a second.
///
/// A stream is open once its user was told what is there: the conversation with who is online, or the group with its members.
struct StormLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "storm")

  enum Streams: String, ExpressibleByArgument {
    case chat
    case watch
  }

  @OptionGroup var live: LiveOptions
  @Option(help: "What is opened: chat or watch.") var streams: Streams

  /// Until what is not open by then is counted as missing.
  private static let limit = Duration.seconds(50)

  func run() async throws {
    try await live.run { all, connections in
      let users = all.groups.flatMap { group in group.members.map { (group: group.id, token: $0) } }
      guard let (group, token) = users.first else { throw WrongAnswer("no users") }
      // A connection of its own.
      let neighbours = try LiveConnections(port: live.port, tlsCa: live.tlsCa, count: 1, loops: 1)
      let caller = Caller(locations: LocationsClient(neighbours[0].client), group: group, options: .of(token))
      let idle = try await caller.call(for: .seconds(live.seconds))

      let opened = OpenedStreams()
      let begin = ContinuousClock.now
      let (took, storm, failures) = try await withThrowingTaskGroup(of: Void.self) { tasks in
        for (place, user) in users.enumerated() {
          let (client, executor) = connections[place]
          tasks.addTask(executorPreference: executor) {
            try await open(user.group, .of(user.token), client) { opened.add() }
          }
        }
        var storm = Delays()
        while opened.count < users.count {
          guard begin.duration(to: .now) < Self.limit else { break }
          storm += try await caller.call(for: .milliseconds(200))
        }
        let took = begin.duration(to: .now)
        tasks.cancelAll()
        var failures: [String] = []
        while let result = await tasks.nextResult() {
          if case .failure(let error) = result, !(error is CancellationError) { failures.append("\(error)") }
        }
        return (took, storm, failures)
      }
      await neighbours.close()
      if let failure = failures.first { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
      print(
        """
        {"streams":\(users.count),"opened":\(opened.count),"seconds":\(took / .seconds(1)),\
        \(idle.json("idle")),\(storm.json("storm")),"calls":\(storm.count),"failed":\(failures.count)}
        """)
    }
  }

  /// Keeps a stream open until the task is cancelled.
  private func open(
    _ group: String, _ options: CallOptions, _ client: RPCClient, isOpen: @escaping @Sendable () -> Void
  ) async throws {
    do {
      try await whenNotOverloaded {
        switch streams {
        case .chat:
          try await ChatClient(client).connect(options) { requests, events in
            try await requests.send(ConnectRequest(request: .open(OpenConversation(conversationID: group))))
            for try await event in events {
              switch event.event {
              case .opened: isOpen()
              case .refusal: throw WrongAnswer(event)
              default: continue
              }
            }
          }
        case .watch:
          try await LocationsClient(client).watch(options) { requests, responses in
            try await requests.send(WatchRequest(add: [WatchedGroup(groupID: group)]))
            for try await response in responses { if case .snapshot = response.content { isOpen() } }
          }
        }
      }
    } catch  where Task.isCancelled {}
  }
}

/// How many streams are open.
private final class OpenedStreams: Sendable {
  private let opened = Atomic<Int>(0)

  var count: Int { opened.load(ordering: .relaxed) }

  func add() { opened.add(1, ordering: .relaxed) }
}

/// A user who calls, whatever the others do.
private struct Caller: Sendable {
  let locations: LocationsClient
  let group: String
  let options: CallOptions

  /// Between two calls.
  private static let pause = Duration.milliseconds(20)

  /// How long calls took within a time.
  func call(for time: Duration) async throws -> Delays {
    var delays = Delays()
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      let due = ContinuousClock.now
      _ = try await locations.getMembers(GetMembersRequest(groupIds: [group]), options)
      let took = due.duration(to: .now)
      delays.add(Int64(took / .microseconds(1)))
      // The rate at which the user calls, whatever the service does; nothing is waited for.
      try await Task.sleep(until: due + Self.pause, clock: .continuous)
    }
    return delays
  }
}
