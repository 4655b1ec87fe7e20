/// Whether two reports may call the same outing by different sports ([IM-8]).
package enum Kinship: Sendable, Equatable {
  /// They are one sport, or devices take one for the other.
  case same
  /// The same way at the same time may be called either: positions decide.
  case near
  case none
}

extension Sport {
  package func kinship(to other: Sport) -> Kinship {
    if self == other || self == .other || other == .other { return .same }
    let pair: Set<Sport> = [self, other]
    if pair.isSubset(of: Self.onFoot) { return .same }
    return Self.near.contains(pair) ? .near : .none
  }

  private static let onFoot: Set<Sport> = [.run, .walk, .hike]

  /// Ski tours and cross-country skiing, electric bicycles and walks with a bicycle, boats and boards.
  private static let near: Set<Set<Sport>> = [
    [.ski, .hike], [.ski, .walk], [.ski, .run], [.ride, .walk], [.ride, .hike], [.ride, .run], [.row, .swim],
    [.row, .walk], [.strength, .yoga],
  ]
}
