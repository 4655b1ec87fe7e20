/// The streams of one connection on the client's side: assigns ids, and finds the call of each. Specialized for the
/// calls in their owner's module.
@usableFromInline
package struct ClientStreams<Call> {
  @usableFromInline var waiting: [UInt32: Call] = [:]
  @usableFromInline var nextID: UInt32

  /// - Parameter firstID: odd.
  @inlinable
  package init(firstID: UInt32 = 1) {
    nextID = firstID
  }

  @inlinable
  package var count: Int { waiting.count }
  @inlinable
  package var isEmpty: Bool { waiting.isEmpty }
  @inlinable
  package var calls: [Call] { Array(waiting.values) }

  /// Whether all ids are used, after 2³¹ calls: a new connection is needed.
  @inlinable
  var isExhausted: Bool { nextID == .max }

  /// Assigns the next id, odd and above all before, to `call`; `nil` when all ids are used.
  @inlinable
  package mutating func open(_ call: Call) -> UInt32? {
    guard !isExhausted else { return nil }
    let id = nextID
    nextID = id >= .max - 2 ? .max : id + 2
    waiting[id] = call
    return id
  }

  /// The call that runs under `id`; `nil` for an id that is unknown or whose call has ended.
  @inlinable
  package func call(_ id: UInt32) -> Call? {
    waiting[id]
  }

  /// Removes the call that waits under `id`; `nil` for an id that is unknown or whose call has ended; its frames are
  /// ignored.
  @inlinable
  package mutating func close(_ id: UInt32) -> Call? {
    waiting.removeValue(forKey: id)
  }

  /// Removes every call, after the connection was lost.
  @inlinable
  package mutating func closeAll() -> [Call] {
    let calls = calls
    waiting.removeAll()
    return calls
  }
}
