import FieldViolations
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain

extension Locations {
  /// Watches groups that the caller adds and drops on the way ([TR-4]).
  package func watch(
    _ requests: MessageStream<WatchRequest>, _ responses: MessageWriter<WatchResponse>, _ context: CallContext
  ) async throws {
    let viewer = try context.userID
    let queue = WatchQueue(maxChanges: watchQueue)
    try await serve(queue, to: viewer, responses, context) { session in
      try await withThrowingTaskGroup { group in
        group.addTask { await read(requests, into: queue) }
        defer { group.cancelAll() }
        try await session.run()
      }
    }
  }

  /// Watches some groups until the caller is a member of none ([TR-4]).
  package func watchGroups(
    _ call: WatchGroupsRequest, _ responses: MessageWriter<WatchResponse>, _ context: CallContext
  ) async throws {
    let viewer = try context.userID
    let queue = WatchQueue(maxChanges: watchQueue)
    _ = queue.request(try WatchOrder(call))
    try await serve(queue, to: viewer, responses, context) { session in
      try await session.run { $0 == 0 }
    }
  }

  private func serve(
    _ queue: WatchQueue, to viewer: UserID, _ responses: MessageWriter<WatchResponse>, _ context: CallContext,
    _ run: (inout WatchSession) async throws -> Void
  ) async throws {
    try await watchPlaces.withPlace(of: viewer) {
      var session = WatchSession(of: viewer, self, queue, responses)
      defer { session.leave() }
      try await streamTokens.observe(context, end: { [weak queue] in queue?.end($0) }) {
        try await run(&session)
      }
    }
  }

  /// Passes the caller's messages on. A caller who sends no more goes on watching.
  private func read(_ requests: MessageStream<WatchRequest>, into queue: WatchQueue) async {
    do {
      var isFirst = true
      for try await request in requests {
        let order = try WatchOrder(request, isFirst: isFirst)
        isFirst = false
        guard queue.request(order) else { throw Status.tooManyRequests }
      }
    } catch let status as Status {
      queue.end(status)
    } catch {
      queue.end((error as? any StatusConvertible)?.status ?? .opaque)
    }
  }
}

extension WatchOrder {
  /// What a client without bidirectional streams asks for.
  package init(_ call: WatchGroupsRequest) throws {
    var bad = Violations()
    if call.groups.isEmpty { bad.add("groups", "At least one group is required", TrackingReason.groupsRequired) }
    self.init(add: bad.watchStarts(call.groups, "groups"))
    try bad.check()
  }

  /// What a message asks for; the first one may be there for its token alone.
  package init(_ call: WatchRequest, isFirst: Bool) throws {
    var bad = Violations()
    if !isFirst, call.add.isEmpty, call.dropGroupIds.isEmpty {
      bad.add("add", "A message adds or drops groups", TrackingReason.groupsRequired)
    }
    let starts = bad.watchStarts(call.add, "add")
    var drops: [GroupID] = []
    for (place, text) in call.dropGroupIds.prefix(WatchSession.maxGroups).enumerated() {
      let id = bad.require(
        "drop_group_ids[\(place)]", GroupID(text), "This is not the id of a group", TrackingReason.groupIDInvalid)
      if let id { drops.append(id) }
    }
    if call.dropGroupIds.count > WatchSession.maxGroups { bad.addTooManyGroups("drop_group_ids") }
    try bad.check()
    self.init(add: starts, drop: drops)
  }
}

extension Violations {
  /// Parses groups to watch; of one that is named twice the last is used.
  fileprivate mutating func watchStarts(_ groups: [WatchedGroup], _ field: String) -> [WatchStart] {
    guard groups.count <= WatchSession.maxGroups else {
      addTooManyGroups(field)
      return []
    }
    var starts: [GroupID: WatchStart] = [:]
    for (place, group) in groups.enumerated() {
      let id = require(
        "\(field)[\(place)].group_id", GroupID(group.groupID), "This is not the id of a group",
        TrackingReason.groupIDInvalid)
      if let after = group.after, after < 0 {
        add("\(field)[\(place)].after", "A number must not be negative", TrackingReason.afterInvalid)
      }
      if group.epoch < 0 {
        add("\(field)[\(place)].epoch", "A number must not be negative", TrackingReason.afterInvalid)
      }
      if let id { starts[id] = WatchStart(group: id, after: group.after, epoch: group.epoch) }
    }
    return starts.values.sorted { $0.group < $1.group }
  }

  fileprivate mutating func addTooManyGroups(_ field: String) {
    add(field, "At most \(WatchSession.maxGroups) groups", TrackingReason.tooManyGroups)
  }
}
