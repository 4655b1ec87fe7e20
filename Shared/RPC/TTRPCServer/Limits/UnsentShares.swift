import DequeModule

/// Which of a connection's unsent bytes are whose, in the order in which they were queued. A state machine without I/O.
struct UnsentShares {
  private var pieces = Deque<(end: Int, bytes: Int, client: ObjectIdentifier)>()
  private var byClient: [ObjectIdentifier: Int] = [:]
  private(set) var total = 0

  func bytes(of client: ObjectIdentifier) -> Int { byClient[client, default: 0] }

  /// Adds bytes that were queued up to the position `end` of all that the connection has queued.
  mutating func add(_ bytes: Int, of client: ObjectIdentifier, upTo end: Int) {
    pieces.append((end, bytes, client))
    byClient[client, default: 0] += bytes
    total += bytes
  }

  /// The peer has taken everything up to `position`.
  mutating func taken(upTo position: Int) {
    while let first = pieces.first, first.end <= position {
      pieces.removeFirst()
      total -= first.bytes
      let rest = byClient[first.client, default: 0] - first.bytes
      byClient[first.client] = rest > 0 ? rest : nil
    }
  }
}
