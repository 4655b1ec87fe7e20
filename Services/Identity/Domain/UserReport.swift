import Identifiers

/// Why a user is reported ([ID-26]).
public enum ReportReason: String, Sendable, Hashable, CaseIterable {
  case harassment = "HARASSMENT"
  case spam = "SPAM"
  case impersonation = "IMPERSONATION"
  case inappropriateContent = "INAPPROPRIATE_CONTENT"
  case danger = "DANGER"
  case other = "OTHER"
}

/// A report of one user about another, for the operators ([ID-26]).
public struct UserReport: Sendable, Hashable {
  /// The maximum number of evidence ids.
  public static let maxEvidence = 20

  public let reason: ReportReason
  /// The reporter's description of what happened.
  public let remarks: Remarks
  /// The ids of objects that show it.
  public let evidence: [UUID7]

  /// The caller has checked the number of evidence ids.
  public init(reason: ReportReason, remarks: Remarks, evidence: [UUID7]) {
    self.reason = reason
    self.remarks = remarks
    self.evidence = evidence
  }
}

/// Text by a user on several lines, at most 1,000 characters without control characters; may be empty.
public struct Remarks: Sendable, Hashable {
  /// The error message for invalid remarks.
  public static let refusal = "The remarks may have at most 1,000 characters and no control characters"
  private static let longest = 1_000

  public let text: String

  /// The remarks, or `nil` when they are too long or contain control characters.
  public init?(_ text: String) {
    guard text.unicodeScalars.count <= Self.longest, text.unicodeScalars.allSatisfy(Self.isText) else { return nil }
    self.text = text
  }

  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
  }
}

/// The rules of blocking users ([ID-26]).
public enum Blocking {
  /// The maximum number of users that one user can block.
  public static let maxBlocked = 1_000
}
