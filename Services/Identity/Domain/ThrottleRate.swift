/// A limit as operators write it: `30/1h`, a number and the time in which it refills.
extension ThrottlePolicy {
  /// Seconds of each unit, the longest first.
  private static let units: [(name: Character, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]
  private static let maxAttempts = 1_000_000
  private static let maxWindow: Duration = .seconds(7 * 86_400)

  /// Reads a number from 1 to 1,000,000 and a time from 1s to 7d; `nil` for anything else.
  public init?(rate text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let limit = Int(parts[0]), (1...Self.maxAttempts).contains(limit),
      let unit = Self.units.first(where: { $0.name == parts[1].last }), let count = Int64(parts[1].dropLast()),
      (1...Self.maxWindow.components.seconds).contains(count)
    else { return nil }
    let window = Duration.seconds(count * unit.seconds)
    guard window <= Self.maxWindow else { return nil }
    self = .refilling(limit, in: window)
  }

  /// The limit in the form that ``init(rate:)`` reads.
  public var rate: String {
    let seconds = window.components.seconds
    let unit = Self.units.first { seconds.isMultiple(of: $0.seconds) }
    return "\(limit)/" + (unit.map { "\(seconds / $0.seconds)\($0.name)" } ?? "\(seconds)s")
  }
}
