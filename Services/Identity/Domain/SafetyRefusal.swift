/// Why a user is not blocked or reported ([ID-26]).
public enum SafetyRefusal: Error, Sendable, Hashable, CaseIterable {
  case noSuchUser
  /// The caller has blocked as many users as one can.
  case tooManyBlocked
}
