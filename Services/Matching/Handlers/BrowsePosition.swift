import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import Postgres

/// How far a list of sessions has been read: which were ranked and shown, and where the list by start is.
///
/// The ranked ones are computed anew for each page, and may have changed meanwhile: those that were shown are left out, whatever their rank is
/// now, so that none is shown twice, and none is skipped.
struct BrowsePosition: PageElement {
  /// The ranked sessions that were shown, as 32 bits of each id: a token stays short. Of two sessions of one list that have the same bits, which
  /// happens in one of ten million lists, the second is not shown.
  private(set) var ranked: Set<UInt32> = []
  /// The last session of the list by start; `nil` while sessions are ranked.
  private(set) var last: (start: Instant, id: SessionID)?

  /// So many are ranked: the best few hundred.
  static let maxRanked = 400

  init() {}

  func hasShown(_ id: SessionID) -> Bool { ranked.contains(Self.bits(of: id)) }

  /// The position after the sessions that a page shows.
  func after(_ found: BrowsedSessions, size: Int) -> BrowsePosition {
    var next = self
    for (place, session) in found.sessions.prefix(size).enumerated() {
      if place < found.ranked {
        next.ranked.insert(Self.bits(of: session.id))
      } else {
        next.last = (session.start, session.id)
      }
    }
    return next
  }

  /// The random bits at the end of the id.
  private static func bits(of id: SessionID) -> UInt32 { UInt32(truncatingIfNeeded: id.uuid.low) }

  func write(to bytes: inout [UInt8]) {
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

  init?(from bytes: inout ArraySlice<UInt8>) {
    guard let count = Int64(from: &bytes), (0...Int64(Self.maxRanked)).contains(count), bytes.count >= 4 * Int(count)
    else {
      return nil
    }
    for _ in 0..<count {
      ranked.insert(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
      bytes = bytes.dropFirst(4)
    }
    guard let hasLast = Int64(from: &bytes) else { return nil }
    guard hasLast == 1 else { return }
    guard let start = Instant(from: &bytes), let id = SessionID(from: &bytes) else { return nil }
    last = (start, id)
  }
}

/// Sessions of a page: some that are ranked, then others by their start.
struct BrowsedSessions: Sendable {
  var sessions: [RankedSession] = []
  /// How many are ranked.
  var ranked = 0
}

extension SessionSearch {
  /// The sessions after a position, as many as there are up to a limit.
  func page(after position: BrowsePosition, _ limit: Int, in database: Database) async throws -> BrowsedSessions {
    var page = BrowsedSessions()
    if position.last == nil {
      let (found, areAll) = try await candidates(in: database)
      let best = found.filter { !position.hasShown($0.id) }.compactMap { ranked($0) }.sorted()
      page.sessions = Array(best.prefix(min(limit, BrowsePosition.maxRanked - position.ranked.count)))
      page.ranked = page.sessions.count
      let isWhole = areAll && page.sessions.count == best.count
      if isWhole || page.sessions.count == limit { return page }
    }
    let shown = Set(page.sessions.map(\.id))
    let wanted = limit - page.sessions.count
    // Those that were ranked come again, and are left out.
    let following = try await later(
      after: position.last, limit: Int64(wanted + position.ranked.count + shown.count), in: database)
    let rest = following.filter { !position.hasShown($0.id) && !shown.contains($0.id) }.compactMap { ranked($0) }
    page.sessions += rest.prefix(wanted)
    return page
  }
}
