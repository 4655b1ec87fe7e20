import Synchronization

/// Bytes that many holders may have in memory together: the streams of a connection, the connections of a server. From any thread.
package final class ByteBudget: Sendable {
  private let limit: Int
  private let allowance: Int
  private let parent: ByteBudget?
  private let taken = Atomic(0)

  /// - Parameters:
  ///   - limit: bytes that may be taken at a time.
  ///   - allowance: the first bytes, which do not count against `parent`: what everybody may have, so that one who takes all the rest
  ///     stops nobody's ordinary calls.
  ///   - parent: a larger budget that the bytes count against too.
  init(limit: Int, allowance: Int = 0, within parent: ByteBudget? = nil) {
    self.limit = limit
    self.allowance = allowance
    self.parent = parent
  }

  /// How much is taken now.
  var bytes: Int { taken.load(ordering: .relaxed) }

  /// Takes `count` bytes, or none and says so.
  func take(_ count: Int) -> Bool {
    let now = taken.add(count, ordering: .relaxed).newValue
    let charge = beyondAllowance(now) - beyondAllowance(now - count)
    if now <= limit, charge == 0 || parent?.take(charge) ?? true { return true }
    let after = taken.subtract(count, ordering: .relaxed).newValue
    // Others may have taken and given back meanwhile: what these bytes would have cost is not what taking them back frees.
    parent?.give(back: beyondAllowance(after + count) - beyondAllowance(after) - charge)
    return false
  }

  /// Takes `count` bytes that are in memory already, whatever the limit.
  func take(regardless count: Int) {
    give(back: -count)
  }

  /// Gives back what was taken.
  func give(back count: Int) {
    guard count != 0 else { return }
    let now = taken.subtract(count, ordering: .relaxed).newValue
    parent?.give(back: beyondAllowance(now + count) - beyondAllowance(now))
  }

  private func beyondAllowance(_ bytes: Int) -> Int {
    max(0, bytes - allowance)
  }
}
