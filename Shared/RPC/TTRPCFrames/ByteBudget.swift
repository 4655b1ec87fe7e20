import Synchronization
import TTRPC

/// Bytes that several holders may have in memory together: the streams of a connection, the connections of a server.
/// From any thread.
package final class ByteBudget: MemoryBudget {
  /// A share of what is free of a whole, which shrinks as the whole fills: however many take theirs, something is left
  /// for the next holder.
  package struct Share: Sendable {
    let whole: ByteBudget
    /// Bytes of the whole that are not shared.
    let reserve: Int
    /// Percent of what is free, the share's own bytes not counted.
    let percent: Int

    package init(whole: ByteBudget, reserve: Int, percent: Int) {
      self.whole = whole
      self.reserve = reserve
      self.percent = percent
    }

    fileprivate func allows(_ bytes: Int) -> Bool {
      bytes * 100 <= (whole.limit - reserve - whole.bytes) * percent
    }
  }

  private let limit: Int
  private let allowance: Int
  private let parent: ByteBudget?
  private let owner: ByteBudget?
  private let share: Share?
  private let taken = Atomic(0)

  /// - Parameters:
  ///   - limit: bytes that may be taken at a time.
  ///   - allowance: the first bytes, which do not count against `parent`: every holder may have them, so that one
  ///     holder that takes all the rest does not stop the others' ordinary calls.
  ///   - parent: a larger budget that the bytes count against too.
  ///   - owner: the budget of the client that the bytes are held for, which they count against as well.
  ///   - share: beside the limit, the part of a larger budget that may be taken.
  package init(
    limit: Int = .max, allowance: Int = 0, within parent: ByteBudget? = nil, of owner: ByteBudget? = nil,
    share: Share? = nil
  ) {
    self.limit = limit
    self.allowance = allowance
    self.parent = parent
    self.owner = owner
    self.share = share
  }

  /// Bytes that are taken now.
  package var bytes: Int { taken.load(ordering: .relaxed) }

  /// Takes `count` bytes; false when they exceed the budget, and none are taken.
  package func take(_ count: Int) -> Bool {
    let now = taken.add(count, ordering: .relaxed).newValue
    let charge = beyondAllowance(now) - beyondAllowance(now - count)
    if now <= limit, share?.allows(now) ?? true, charge == 0 || takeAbove(charge) { return true }
    let after = taken.subtract(count, ordering: .relaxed).newValue
    // Other threads may have taken and returned bytes meanwhile: these bytes' charge is not the amount that returning
    // them frees.
    giveBackAbove(beyondAllowance(after + count) - beyondAllowance(after) - charge)
    return false
  }

  /// Whether ``take(_:)`` would most likely succeed now.
  package func hasRoom(for count: Int) -> Bool {
    let now = bytes + count
    let charge = beyondAllowance(now) - beyondAllowance(now - count)
    guard now <= limit, share?.allows(now) ?? true else { return false }
    return charge == 0 || (parent?.hasRoom(for: charge) ?? true) && (owner?.hasRoom(for: charge) ?? true)
  }

  private func takeAbove(_ count: Int) -> Bool {
    guard parent?.take(count) ?? true else { return false }
    if owner?.take(count) ?? true { return true }
    parent?.give(back: count)
    return false
  }

  private func giveBackAbove(_ count: Int) {
    parent?.give(back: count)
    owner?.give(back: count)
  }

  /// Takes `count` bytes that are in memory already, even beyond the limit.
  package func take(regardless count: Int) {
    give(back: -count)
  }

  package func give(back count: Int) {
    guard count != 0 else { return }
    let now = taken.subtract(count, ordering: .relaxed).newValue
    giveBackAbove(beyondAllowance(now + count) - beyondAllowance(now))
  }

  private func beyondAllowance(_ bytes: Int) -> Int {
    max(0, bytes - allowance)
  }
}
