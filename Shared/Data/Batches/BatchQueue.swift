import Identifiers

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
  let ofUser: Int
  let inAll: Int

  package init(ofUser: Int, inAll: Int) { (self.ofUser, self.inAll) = (ofUser, inAll) }
}

/// What one batch may consist of.
package struct BatchSize: Sendable {
  let entries: Int
  let weight: Int
  let weightOfUser: Int

  /// - Parameters:
  ///   - weight: of all; one entry is taken, whatever its weight.
  ///   - weightOfUser: of each user, who waits for the next turn with more; one entry of each is taken, whatever its weight.
  package init(entries: Int, weight: Int = .max, weightOfUser: Int = .max) {
    (self.entries, self.weight, self.weightOfUser) = (entries, weight, weightOfUser)
  }
}

/// Entries of users that wait to be taken in batches. Users take turns, and the entries of a user stay in order.
package struct BatchQueue<Entry> {
  private struct Waiting {
    let entry: Entry
    let weight: Int
    let keys: [UUID7]
  }

  private struct Entries {
    var waiting: ArraySlice<Waiting> = []
    var weight = 0

    mutating func add(_ entry: Waiting) {
      waiting.append(entry)
      weight += entry.weight
    }
  }

  /// Of each user of whom something waits.
  private var entriesOf: [UserID: Entries] = [:]
  /// The same users, each once, the next one first.
  private var turns: ArraySlice<UserID> = []
  private var weight = 0
  private let limits: BatchLimits

  package init(_ limits: BatchLimits) { self.limits = limits }

  /// - Parameter keys: no two entries of a batch have one in common: the user of the second one waits for the next batch.
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
  package mutating func removeAll() -> [Entry] {
    defer { self = BatchQueue(limits) }
    return entriesOf.values.flatMap { $0.waiting.map(\.entry) }
  }
}
