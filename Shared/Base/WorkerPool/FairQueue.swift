import DequeModule

/// A queue with owners, on whose behalf elements wait: the owners have their turns one after the other, and of each the
/// oldest element goes first.
package struct FairQueue<Owner: Hashable, Element> {
  /// Also owners whose elements were all removed, until their turns come.
  private var waiting: [Owner: Deque<(ticket: UInt64, element: Element)>] = [:]
  /// Every owner in `waiting`, once.
  private var turns: Deque<Owner> = []
  /// How many owners of `turns` have nothing waiting.
  private var idle = 0
  /// How many elements wait.
  package private(set) var count = 0

  package init() {}

  /// How many elements of `owner` wait.
  package func count(of owner: Owner) -> Int { waiting[owner]?.count ?? 0 }

  package mutating func append(_ element: Element, ticket: UInt64, for owner: Owner) {
    switch waiting[owner]?.isEmpty {
    case nil: turns.append(owner)
    case true?: idle -= 1
    case false?: break
    }
    waiting[owner, default: []].append((ticket, element))
    count += 1
  }

  /// Takes the next element whose owner `isFree`, which ends that owner's turn.
  package mutating func next(where isFree: (Owner) -> Bool) -> (owner: Owner, element: Element)? {
    guard count > 0 else { return nil }
    while let place = turns.firstIndex(where: { waiting[$0]?.isEmpty != false || isFree($0) }) {
      let owner = turns.remove(at: place)
      guard let element = waiting[owner]?.popFirst()?.element else {
        waiting[owner] = nil
        idle -= 1
        continue
      }
      count -= 1
      if waiting[owner]?.isEmpty ?? true { waiting[owner] = nil } else { turns.append(owner) }
      return (owner, element)
    }
    return nil
  }

  /// Takes the element with `ticket`; `nil` when it does not wait.
  package mutating func remove(_ ticket: UInt64, of owner: Owner) -> Element? {
    guard let place = waiting[owner]?.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return remove(at: place, of: owner)
  }

  /// Makes room for an element of `owner` by removing the newest of the owner with most waiting; `nil` when none has at
  /// least two more.
  package mutating func removeNewest(inFavourOf owner: Owner) -> Element? {
    longest(beyond: owner).flatMap { remove(at: $0.value.count - 1, of: $0.key) }
  }

  /// Whether another owner has so many waiting that `owner` has more right to one of the places.
  package func canMakeRoom(for owner: Owner) -> Bool { longest(beyond: owner) != nil }

  private func longest(beyond owner: Owner) -> Dictionary<Owner, Deque<(ticket: UInt64, element: Element)>>.Element? {
    let longest = waiting.max { $0.value.count < $1.value.count }
    return longest.flatMap { $0.value.count > count(of: owner) + 1 ? $0 : nil }
  }

  /// Takes everything.
  package mutating func removeAll() -> [Element] {
    defer { self = FairQueue() }
    return waiting.values.flatMap { $0.map(\.element) }
  }

  private mutating func remove(at place: Int, of owner: Owner) -> Element? {
    let element = waiting[owner]?.remove(at: place).element
    count -= 1
    guard waiting[owner]?.isEmpty ?? false else { return element }
    // Its turn stays until it comes: thousands of owners may leave at once, and to look for each of them takes long.
    idle += 1
    if idle > Self.maxIdle, idle > turns.count / 2 { forgetIdle() }
    return element
  }

  private static var maxIdle: Int { 64 }

  private mutating func forgetIdle() {
    turns.removeAll { waiting[$0]?.isEmpty ?? true }
    waiting = waiting.filter { !$0.value.isEmpty }
    idle = 0
  }
}
