import Jobs

extension JobKind where Payload == String {
  /// Judges the sessions that start at one moment, 15 min after it; payload and key are the start in microseconds since
  /// 1970 ([MA-10]). A replica runs one at a time, so that after a downtime the earlier ones come first.
  package static let judgeSessions = JobKind("judge_sessions", .oneByOne)
  /// Finishes a successful session at its end, unless a participant has; the payload is its id ([MA-11]).
  package static let finishSession = JobKind("finish_session")
  /// Reminds the participants of the matched sessions that start at one moment, an hour before it; the key is the start in microseconds since
  /// 1970, the payload that and, behind a slash, the id of the last session reminded of ([MA-12]).
  package static let remindParticipants = JobKind("remind_participants")
  /// Closes sessions of users who deleted their accounts, and removes what is stored about them; at most one such job exists ([C-9]).
  package static let cleanUpUsers = JobKind("clean_up_users")
  /// Parts two users of whom one has blocked the other; payload and key are those of ``Parting`` ([C-10]).
  package static let partBlockedUsers = JobKind("part_blocked_users")
  /// Parts all users of whom one has blocked the other, after events of blocks were missed; the payload is the id of the last session looked
  /// at, or empty; at most one such job exists ([C-10]).
  package static let partAllBlockedUsers = JobKind("part_all_blocked_users")
  /// Has some users' profiles be looked up again, after events about profiles were missed; the payload is the id of the last user looked at, or
  /// empty; at most one such job exists ([MA-3]).
  package static let forgetProfiles = JobKind("forget_profiles")
  /// Ends an offer that was not taken, and offers the place to the next; the payload is the session's id. Each offer has a job of its own,
  /// without a key: a transaction that has locked the session waits for no job that waits for the session ([MA-17]).
  package static let endOffer = JobKind("end_offer")
  /// Notifies users whose saved searches a session fits; payload the session's id and that of the last user of the batch before, separated by
  /// a slash; key the session's id ([MA-18]).
  package static let notifySearchers = JobKind("notify_searchers")
  /// Posts the next session of a repetition; payload and key are the repetition's id ([MA-19]).
  package static let repeatSession = JobKind("repeat_session")
}

extension JobLimits {
  fileprivate static var oneByOne: JobLimits {
    var limits = JobLimits()
    limits.atOnce = 1
    return limits
  }
}
