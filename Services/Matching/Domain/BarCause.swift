/// Why a user is barred ([MA-14]). The cases are in the order of the contract's enum.
public enum BarCause: String, Sendable, Hashable, CaseIterable {
  /// The user cancelled with too little notice ([MA-7]).
  case lateCancellation = "LATE_CANCELLATION"
  /// The user did not check in ([MA-10]).
  case noShow = "NO_SHOW"
}
