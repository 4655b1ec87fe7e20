import Identifiers

/// Why somebody is reported ([ID-26]).
public enum ReportReason: String, Sendable, Hashable, CaseIterable {
  case harassment = "HARASSMENT"
  case spam = "SPAM"
  case impersonation = "IMPERSONATION"
  case inappropriateContent = "INAPPROPRIATE_CONTENT"
  case danger = "DANGER"
  case other = "OTHER"
}

/// What somebody tells the operators about somebody ([ID-26]).
public struct UserReport: Sendable, Hashable {
  /// Things that can be named as evidence.
  public static let maxEvidence = 20

  /// Why.
  public let reason: ReportReason
  /// What happened.
  public let remarks: Remarks
  /// What shows it.
  public let evidence: [UUID7]

  /// A report; whoever makes one has counted the evidence.
  public init(reason: ReportReason, remarks: Remarks, evidence: [UUID7]) {
    self.reason = reason
    self.remarks = remarks
    self.evidence = evidence
  }
}

/// Some lines of text by a user, at most 1,000 characters without control characters; may be empty.
public struct Remarks: Sendable, Hashable {
  /// What a refusal says.
  public static let refusal = "The remarks may have at most 1,000 characters and no control characters"
  private static let longest = 1_000

  /// The text.
  public let text: String

  /// The remarks, or `nil` when they are too long or contain what is no text.
  public init?(_ text: String) {
    guard text.unicodeScalars.count <= Self.longest, text.unicodeScalars.allSatisfy(Self.isText) else { return nil }
    self.text = text
  }

  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
  }
}

/// The rules of keeping users away ([ID-26]).
public enum Blocking {
  /// Users whom one user can block.
  public static let maxBlocked = 1_000
}
