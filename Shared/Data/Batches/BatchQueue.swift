package import Identifiers

/// Why an entry may not wait for a batch.
package enum BatchRefusal: Error, Sendable, Hashable {
  /// Too many of the user's wait.
  case tooManyOfUser
  /// Too many wait.
  case tooMany
  /// No batch is made any more.
  case stopping
}

/// How much may wait for batches, by weight.
package struct BatchLimits: Sendable {
  @usableFromInline let ofUser: Int
  @usableFromInline let inAll: Int

  package init(ofUser: Int, inAll: Int) { (self.ofUser, self.inAll) = (ofUser, inAll) }
}

/// What one batch may consist of.
package struct BatchSize: Sendable {
  @usableFromInline let entries: Int
  @usableFromInline let weight: Int
  @usableFromInline let weightOfUser: Int

  /// - Parameters:
  ///   - weight: of all; one entry is taken, whatever its weight.
  ///   - weightOfUser: of each user, who waits for the next turn with more; one entry of each is taken, whatever its weight.
  @inlinable
  package init(entries: Int, weight: Int = .max, weightOfUser: Int = .max) {
    (self.entries, self.weight, self.weightOfUser) = (entries, weight, weightOfUser)
  }
}

/// Entries of users that wait to be taken in batches. Users take turns, and the entries of a user stay in order.
///
/// Inlinable, so that it is specialized for its entries.
package struct BatchQueue<Entry> {
  @usableFromInline
  struct Waiting {
    @usableFromInline let entry: Entry
    @usableFromInline let weight: Int
    @usableFromInline let keys: [UUID7]

    @inlinable
    init(entry: Entry, weight: Int, keys: [UUID7]) { (self.entry, self.weight, self.keys) = (entry, weight, keys) }
  }

  @usableFromInline
  struct Entries {
    @usableFromInline var waiting: ArraySlice<Waiting> = []
    @usableFromInline var weight = 0

    @inlinable
    init() {}

    @inlinable
    mutating func add(_ entry: Waiting) {
      waiting.append(entry)
      weight += entry.weight
    }
  }

  /// Of each user of whom something waits.
  @usableFromInline var entriesOf: [UserID: Entries] = [:]
  /// The same users, each once, the next one first.
  @usableFromInline var turns: ArraySlice<UserID> = []
  @usableFromInline var weight = 0
  @usableFromInline let limits: BatchLimits

  @inlinable
  package init(_ limits: BatchLimits) { self.limits = limits }

  /// - Parameter keys: no two entries of a batch have one in common: the user of the second one waits for the next batch.
  @inlinable
  package mutating func add(
    _ entry: Entry, weight added: Int, keys: [UUID7] = [], of user: UserID
  ) throws(BatchRefusal) {
    guard entriesOf[user]?.weight ?? 0 <= limits.ofUser - added else { throw .tooManyOfUser }
    guard weight <= limits.inAll - added else { throw .tooMany }
    if entriesOf[user] == nil { turns.append(user) }
    entriesOf[user, default: Entries()].add(Waiting(entry: entry, weight: added, keys: keys))
    weight += added
  }

  /// Takes a batch: one entry of each user in turn, then another of each, until there are enough.
  @inlinable
  package mutating func take(_ most: BatchSize) -> [Entry] {
    var (taken, takenWeight, takenKeys) = ([Entry](), 0, Set<UUID7>())
    var takenOf: [UserID: Int] = [:]
    var waiting: [UserID] = []
    while taken.count < most.entries, takenWeight < most.weight, let user = turns.popFirst() {
      guard var entries = entriesOf[user], let next = entries.waiting.first else { continue }
      let own = takenOf[user, default: 0]
      guard own == 0 || own + next.weight <= most.weightOfUser, !next.keys.contains(where: takenKeys.contains) else {
        waiting.append(user)
        continue
      }
      entries.waiting.removeFirst()
      taken.append(next.entry)
      takenKeys.formUnion(next.keys)
      takenWeight += next.weight
      takenOf[user] = own + next.weight
      entries.weight -= next.weight
      weight -= next.weight
      entriesOf[user] = entries.waiting.isEmpty ? nil : entries
      if !entries.waiting.isEmpty { turns.append(user) }
    }
    if !waiting.isEmpty { turns = waiting + turns }
    return taken
  }

  /// Takes everything.
  @inlinable
  package mutating func removeAll() -> [Entry] {
    defer { self = BatchQueue(limits) }
    return entriesOf.values.flatMap { $0.waiting.map(\.entry) }
  }
}
