import Identifiers
import MatchingDomain
import MatchingOperations
import Pagination

extension BrowsePosition: PageElement {
  /// The ranked sessions, four bytes each, then the last one by its start.
  package func write(to bytes: inout [UInt8]) {
    Int64(ranked.count).write(to: &bytes)
    for bits in ranked.sorted() {
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(shift))) }
    }
    Int64(last == nil ? 0 : 1).write(to: &bytes)
    if let last {
      last.start.write(to: &bytes)
      last.id.write(to: &bytes)
    }
  }

  package init?(from bytes: inout ArraySlice<UInt8>) {
    guard let count = Int64(from: &bytes), (0...Int64(Self.maxRanked)).contains(count), bytes.count >= 4 * Int(count)
    else {
      return nil
    }
    var ranked: Set<UInt32> = []
    for _ in 0..<count {
      ranked.insert(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
      bytes = bytes.dropFirst(4)
    }
    guard let hasLast = Int64(from: &bytes) else { return nil }
    guard hasLast == 1 else {
      self.init(ranked: ranked, last: nil)
      return
    }
    guard let start = Instant(from: &bytes), let id = SessionID(from: &bytes) else { return nil }
    self.init(ranked: ranked, last: (start, id))
  }
}
