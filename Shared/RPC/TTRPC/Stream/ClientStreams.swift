/// The streams of one connection as the client sees them: ids to give out, and who waits under which.
struct ClientStreams<Call> {
  private var waiting: [UInt32: Call] = [:]
  private var nextID: UInt32

  /// - Parameter firstID: odd.
  init(firstID: UInt32 = 1) {
    nextID = firstID
  }

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }
  var calls: [Call] { Array(waiting.values) }

  /// Whether the connection has no id left to give, after 2³¹ calls: a new one is needed.
  var isExhausted: Bool { nextID == .max }

  /// Gives out the next id, odd and above all before, and keeps `call` under it; `nil` when ids ran out.
  mutating func open(_ call: Call) -> UInt32? {
    guard !isExhausted else { return nil }
    let id = nextID
    nextID = id >= .max - 2 ? .max : id + 2
    waiting[id] = call
    return id
  }

  /// The call that runs under `id`; `nil` for an id that is unknown or done.
  func call(_ id: UInt32) -> Call? {
    waiting[id]
  }

  /// Takes the call that waits under `id`; `nil` for an id that is unknown or done, whose frames are ignored.
  mutating func close(_ id: UInt32) -> Call? {
    waiting.removeValue(forKey: id)
  }

  /// Takes every call, for a connection that is gone.
  mutating func closeAll() -> [Call] {
    let calls = calls
    waiting.removeAll()
    return calls
  }
}
