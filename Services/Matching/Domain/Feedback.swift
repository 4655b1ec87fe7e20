import Identifiers
import VisibleText

public enum RemarksLimit: TextLimit {
  public static let name = "The text of the remarks"
  public static let maxLength = 1_000
  public static let lines = TextLines.several
}

/// A participant's remarks on the other ([MA-11]).
public typealias Remarks = VisibleText<RemarksLimit>

public enum LiftReasonLimit: TextLimit {
  public static let name = "The reason"
  public static let maxLength = 500
}

/// Why an operator lifts a bar ([MA-14]).
public typealias LiftReason = VisibleText<LiftReasonLimit>

public enum OperatorNameLimit: TextLimit {
  public static let name = "The operator's name"
  public static let maxLength = 100
}

/// The operator who lifts a bar ([MA-14]).
public typealias OperatorName = VisibleText<OperatorNameLimit>

extension SessionFacts {
  /// Whether the session succeeded and no participant has finished it: it is finished at its end.
  public var isUnfinished: Bool { state == .successful && finishedAt == nil }

  /// Decides whether a participant may finish the session ([MA-11]).
  ///
  /// - Returns: whether it changes anything.
  public func finish(by user: UserID, at now: Instant) throws(SessionRefusal) -> Bool {
    guard hasParticipant(user) else { throw .noSuchSession }
    guard state == .successful else { throw .notSuccessful }
    guard now >= slot.start else { throw .notStarted }
    guard finishedAt == nil else { return false }
    // Feedback and badges are for training, not for pressing buttons: a session counts that lasted.
    guard now >= slot.start + max(Slot.shortest, (slot.end - slot.start) / 2) else { throw .finishedTooEarly }
    return true
  }

  /// Decides whether a participant may give feedback, and on whom ([MA-11]).
  public func recipientOfFeedback(by user: UserID, at now: Instant) throws(SessionRefusal) -> UserID {
    guard hasParticipant(user) else { throw .noSuchSession }
    guard state == .successful else { throw .notSuccessful }
    guard isFinished(at: now) else { throw .notFinished }
    guard let recipient = other(than: user) else { throw .partnerGone }
    return recipient
  }
}

/// A user's reputation as a training partner ([MA-11]).
public struct Reputation: Sendable, Hashable {
  public let ratings: Int64
  public let sum: Int64
  public let attended: Int64
  public let missed: Int64

  /// What is assumed of a user without ratings: a little above the middle of 1 to 5.
  public static let priorRating = 3.5
  /// How many ratings the assumption weighs: with as many real ones, both count the same.
  public static let priorWeight = 5.0

  public init(ratings: Int64 = 0, sum: Int64 = 0, attended: Int64 = 0, missed: Int64 = 0) {
    (self.ratings, self.sum, self.attended, self.missed) = (ratings, sum, attended, missed)
  }

  /// The arithmetic mean; 0 without ratings.
  public var mean: Double { ratings == 0 ? 0 : Double(sum) / Double(ratings) }

  /// The Bayesian average, 1 to 5: few ratings move it little (https://en.wikipedia.org/wiki/Bayesian_average).
  public var rating: Double {
    (Self.priorWeight * Self.priorRating + Double(sum)) / (Self.priorWeight + Double(ratings))
  }

  /// The share of sessions to which the user turned up; 0 without any.
  public var attendance: Double {
    attended + missed == 0 ? 0 : Double(attended) / Double(attended + missed)
  }

  /// How likely the user turns up next time, 0 to 1, by the rule of succession with four kept appointments and one missed one assumed
  /// (https://en.wikipedia.org/wiki/Rule_of_succession).
  public var reliability: Double { (4 + Double(attended)) / (5 + Double(attended + missed)) }
}
