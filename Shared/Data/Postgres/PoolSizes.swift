/// The most connections of a database's pools, those of all event loops together.
public struct PoolSizes: Sendable, Equatable {
  /// Event loops with a connection of their own for reads and one for writes; the other loops use these.
  public var pipelined: Int
  /// Connections for transactions.
  public var transactions: Int
  /// Connections for slow statements.
  public var slow: Int

  /// One of each kind, without which some calls could not be made at all.
  static let minimum = PoolSizes(pipelined: 1, transactions: 1, slow: 1)

  init(pipelined: Int, transactions: Int, slow: Int) {
    self.pipelined = pipelined
    self.transactions = transactions
    self.slow = slow
  }

  /// The sizes of `configuration`.
  init(_ configuration: DatabaseConfiguration, loops: Int) {
    pipelined = loops
    transactions = max(1, configuration.transactionsPerLoop) * loops
    slow = max(1, configuration.slowPerLoop) * loops
  }

  /// How many connections that is.
  public var connections: Int { 2 * pipelined + transactions + slow }

  /// The closest sizes that need at most `limit` connections, reduced in proportion; never less than the minimum.
  func fitted(into limit: Int) -> PoolSizes {
    if connections <= limit { return self }
    var sizes = Self.minimum
    let kinds: [(path: WritableKeyPath<PoolSizes, Int>, cost: Int)] = [
      (\.pipelined, 2), (\.transactions, 1), (\.slow, 1),
    ]
    while true {
      let room = limit - sizes.connections
      let growing = kinds.filter { $0.cost <= room && sizes[keyPath: $0.path] < self[keyPath: $0.path] }
      let next = growing.min { one, other in
        // The kind with the smaller part of what it wants comes first; multiplied out, the comparison needs no
        // fractions.
        sizes[keyPath: one.path] * self[keyPath: other.path] < sizes[keyPath: other.path] * self[keyPath: one.path]
      }
      guard let next else { return sizes }
      sizes[keyPath: next.path] += 1
    }
  }

  /// How many of `loops`, from the first, have connections for transactions, and for slow statements.
  ///
  /// - Parameter wanted: the sizes without a limit. Where it has two for each loop, so has each that is used here: one
  ///   that waits for a lock would have all others of its loop wait too.
  func used(of loops: Int, wanting wanted: PoolSizes) -> (transactions: Int, slow: Int) {
    func used(_ count: Int, _ wanted: Int) -> Int { max(1, min(loops, count / min(2, max(1, wanted / loops)))) }
    return (used(transactions, wanted.transactions), used(slow, wanted.slow))
  }

  /// The part of loop `place` of `loops` in the connections for transactions and slow statements.
  func parts(at place: Int, loops: Int, wanting wanted: PoolSizes) -> (transactions: Int, slow: Int) {
    let used = used(of: loops, wanting: wanted)
    return (
      Self.part(of: transactions, at: place, used: used.transactions), Self.part(of: slow, at: place, used: used.slow)
    )
  }

  /// The first loops share `count` as evenly as possible.
  private static func part(of count: Int, at place: Int, used: Int) -> Int {
    guard place < used else { return 0 }
    return count / used + (place < count % used ? 1 : 0)
  }
}
