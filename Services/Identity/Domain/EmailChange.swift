import Identifiers

/// The rules of changing the e-mail address of an account ([ID-15]).
public enum EmailChange {
  /// Why a link cannot be used.
  public enum TokenRefusal: Error, Sendable, Hashable {
    /// What it does was done before, or undone since.
    case used
    /// It is too old.
    case expired
  }

  /// Decides whether the link to the new address confirms the change: once, for 24 hours.
  ///
  /// - Returns: `nil` when it does.
  public static func confirmationRefusal(requestedAt: Instant, confirmedAt: Instant?, now: Instant) -> TokenRefusal? {
    if confirmedAt != nil { return .used }
    return now < requestedAt + Lifetimes.emailConfirmation ? nil : .expired
  }

  /// Decides whether the link to the old address undoes the change: once, for 7 days after it took effect.
  ///
  /// - Parameter undoneAt: when this change, or one before it, was undone.
  /// - Returns: `nil` when it does.
  public static func undoRefusal(confirmedAt: Instant, undoneAt: Instant?, now: Instant) -> TokenRefusal? {
    if undoneAt != nil { return .used }
    return now < confirmedAt + Lifetimes.emailUndo ? nil : .expired
  }
}
