import Identifiers
public import VisibleText

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

public enum RemarksLimit: TextLimit {
  public static let name = "The report"
  /// Code points.
  public static let maxLength = 1_000
  public static let lines = TextLines.several
}

/// What a user says in a report; may be empty.
public struct Remarks: Sendable, Hashable {
  public let text: String

  /// The remarks, or what is wrong with what was typed; blank ones are empty.
  public static func read(_ typed: String) -> Result<Remarks, TextFlaw> {
    if VisibleText<RemarksLimit>.isBlank(typed) { return .success(Remarks(text: "")) }
    return VisibleText<RemarksLimit>.read(typed).map { Remarks(text: $0.text) }
  }
}

public enum CloseReasonLimit: TextLimit {
  public static let name = "The reason"
  /// Code points.
  public static let maxLength = 500
}

/// Why an operator closes a report, for the audit trail.
public typealias CloseReason = VisibleText<CloseReasonLimit>

public enum OperatorNameLimit: TextLimit {
  public static let name = "The operator's name"
  /// Code points.
  public static let maxLength = 100
}

/// Who closes a report, for the audit trail.
public typealias OperatorName = VisibleText<OperatorNameLimit>

/// The rules of blocking users ([ID-26]).
public enum Blocking {
  /// The maximum number of users that one user can block.
  public static let maxBlocked = 1_000
  /// How long before or after a block a report of the same user belongs to it.
  public static let reportWindow = Duration.seconds(3_600)
}
