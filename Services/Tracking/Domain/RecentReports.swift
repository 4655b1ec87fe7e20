import Identifiers

/// By which a report is known that arrives again, as its sender did not receive the answer.
public struct RecentReports: Sendable, Hashable {
  /// Digests of the last reports, the oldest first; at most ``maxCount``.
  public private(set) var digests: [UInt64]

  /// A sender has few reports under way.
  private static let maxCount = 8

  public init(_ digests: [UInt64] = []) { self.digests = digests }

  /// Adds a report; returns whether it is new, and not one of the last ones.
  mutating func add(_ points: [ReportedPoint], to groupIDs: Set<GroupID>?) -> Bool {
    // Without a time it says where the user is when it arrives: such reports may be the same and follow each other.
    guard points.allSatisfy({ $0.time != nil }) else { return true }
    var digest = Self.digest(points)
    for id in groupIDs?.sorted() ?? [] { digest = Self.mixed(Self.mixed(digest, id.uuid.high), id.uuid.low) }
    if digests.contains(digest) { return false }
    digests.append(digest)
    if digests.count > Self.maxCount { digests.removeFirst() }
    return true
  }

  /// The same for the same times and coordinates, in every process.
  private static func digest(_ points: [ReportedPoint]) -> UInt64 {
    var state = UInt64(points.count)
    for point in points {
      for word in [
        UInt64(bitPattern: point.time?.microseconds ?? .min), point.latitude.bitPattern, point.longitude.bitPattern,
      ] {
        state = mixed(state, word)
      }
    }
    return state
  }

  /// A step of SplitMix64.
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    var state = (state ^ word) &+ 0x9E37_79B9_7F4A_7C15
    state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
    return state ^ (state >> 31)
  }
}
