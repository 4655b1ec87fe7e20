/// Why a link to a journey cannot be made, or is not found ([TR-14]).
public enum ShareRefusal: Error, Sendable, Hashable {
  /// There is none, or it has ended.
  case noSuchShare
  /// The journey has ``maxShares`` links.
  case tooManyShares

  /// Links of one journey at a time.
  public static let maxShares = 20
}
