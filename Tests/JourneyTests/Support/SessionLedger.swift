import Events
import Identifiers
import TandemEvents
import Timestamps

/// Replays the published history of sessions, and compares it with the rules, with the stored state, and with what users were told.
///
/// What the rules say is written anew here, and not taken from the service.
struct SessionLedger {
  /// A session by its history.
  private struct Replayed {
    enum State: String {
      case open = "OPEN"
      case matched = "MATCHED"
      case successful = "SUCCESSFUL"
      case failed = "FAILED"
      case lapsed = "LAPSED"
      case cancelled = "CANCELLED"
    }

    var state = State.open
    var owner: String?
    var partner: String?
    let slot: Range<Instant>
    var checkedIn: Set<String> = []
    /// Participants who were counted as absent, and barred.
    var barred: [String] = []
    /// Who left, when, and whether a partner was left.
    var departures: [(user: String, at: Instant, leftPartner: Bool)] = []
    var feedback: Set<String> = []
    /// Whether it was told that it lasted.
    var counts = false
    /// Who took the slot: from when, and until when.
    var holdings: [Holding] = []

    var participants: Set<String> { Set([owner, partner].compactMap(\.self)) }

    mutating func free(_ user: String, at time: Instant) {
      for index in holdings.indices where holdings[index].user == user && holdings[index].freed == nil {
        holdings[index].freed = time
      }
    }
  }

  /// A user has a slot from one moment to another.
  private struct Holding {
    let user: String
    let taken: Instant
    var freed: Instant?
  }

  /// A published event of a session.
  private struct Line {
    let type: String
    let payload: [UInt8]
    let at: Instant
    let session: String
  }

  private var sessions: [String: Replayed] = [:]
  private var problems: [String] = []
  private var acts: Set<TrainingJournal.Acknowledgement> = []
  private let stored: Stored

  /// What the database says in the end.
  private struct Stored {
    /// Id, state, owner, partner, and when the session was finished in microseconds since 1970.
    let sessions: [[String?]]
    /// Id, user, session, cause, and in microseconds since 1970 beginning and end; how many changes, and whether it was lifted.
    let bars: [[String?]]
    /// Beginning and end in microseconds since 1970.
    let outages: [Range<Instant>]
    /// User, attended, missed, number and sum of the ratings.
    let users: [[String?]]
    /// Session, recipient, rating and author, the oldest first.
    let feedback: [[String?]]
    /// Users with two active sessions at a time.
    let overlaps: [[String?]]
    let deadJobs: String?
  }

  init(_ suite: ThreeServices) async throws {
    stored = try await Self.read(suite)
    for line in try await Self.lines(suite) { try replay(line) }
    // What frees the slots of a session is its finish, of which the rows have the time.
    for row in stored.sessions {
      guard let id = row[0], let finished = Self.instant(row[4]) else { continue }
      for index in sessions[id]?.holdings.indices ?? 0..<0 where sessions[id]?.holdings[index].freed == nil {
        sessions[id]?.holdings[index].freed = finished
      }
      for user in sessions[id]?.participants ?? [] { acts.insert(.init(act: .finish, session: id, user: user)) }
    }
  }

  /// A line of figures.
  var summary: String {
    let states = Dictionary(grouping: sessions.values) { $0.state.rawValue }.mapValues(\.count)
    let bars = Dictionary(grouping: stored.bars) { $0[3] ?? "" }.mapValues(\.count)
    let figures = (states.merging(bars) { $0 + $1 }).sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(sessions.count) sessions, \(stored.outages.count) outages, \(figures.joined(separator: ", "))"
  }

  /// A line for everything that is wrong.
  func complaints(_ journal: TrainingJournal) -> [String] {
    problems + lost(journal) + overlaps() + comparedWithRows() + bars(journal) + barredWithoutCause(journal)
      + reputations()
      + (stored.deadJobs == "0" ? [] : ["jobs were given up: \(stored.deadJobs ?? "")"])
  }

  // MARK: Reading

  private static func instant(_ text: String?) -> Instant? {
    text.flatMap { Int64($0) }.map { Instant(microseconds: $0) }
  }

  private static func micros(_ column: String) -> String { "(extract(epoch from \(column)) * 1000000)::bigint::text" }

  private static func read(_ suite: ThreeServices) async throws -> Stored {
    let outages = try await suite.sql(
      "select \(micros("began_at")), \(micros("ended_at")) from matching.outages"
    ).compactMap { row -> Range<Instant>? in
      guard let from = instant(row[0]), let to = instant(row[1]) else { return nil }
      return from..<to
    }
    return Stored(
      sessions: try await suite.sql(
        "select id, state, owner_id, partner_id, \(micros("finished_at")) from matching.sessions"),
      bars: try await suite.sql(
        """
        select id, user_id, session_id, cause, \(micros("began_at")), \(micros("ends_at")),
          (select count(*)::text from matching.bar_changes where bar_id = bars.id), (lifted_at is not null)::text
        from matching.bars
        """),
      outages: outages,
      users: try await suite.sql(
        "select id, attended::text, missed::text, rating_count::text, rating_sum::text from matching.users"),
      feedback: try await suite.sql(
        "select session_id, recipient_id, rating::text, coalesce(author_id, id) from matching.feedback order by id"),
      overlaps: try await suite.sql(
        """
        select one.user_id from matching.participations as one join matching.participations as other
          on other.user_id = one.user_id and other.session_id > one.session_id and other.slot && one.slot
        where one.active and other.active
        """),
      deadJobs: try await suite.value("select count(*) from matching.jobs where dead_at is not null"))
  }

  private static func lines(_ suite: ThreeServices) async throws -> [Line] {
    let rows = try await suite.sql(
      """
      select type, encode(payload, 'hex'), \(micros("occurred_at")), key from matching.events
      where topic = 'matching.sessions' order by transaction_id, id
      """)
    return rows.compactMap { row in
      guard let type = row[0], let payload = row[1], let at = instant(row[2]), let key = row[3] else { return nil }
      let digits = payload.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
      return Line(
        type: type, payload: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }, at: at,
        session: key)
    }
  }

  // MARK: Replay

  private mutating func replay(_ line: Line) throws {
    if line.type == SessionPosted.protobufName { return try posted(try SessionPosted(serialized: line.payload), line) }
    guard var session = sessions[line.session] else {
      problems.append("\(line.type) of a session that was never posted: \(line.session)")
      return
    }
    let isPossible =
      switch line.type {
      case SessionMatched.protobufName: match(&session, try SessionMatched(serialized: line.payload), line)
      case SessionCancelled.protobufName: try cancel(&session, try SessionCancelled(serialized: line.payload), line)
      case CheckedIn.protobufName: try checkIn(&session, try CheckedIn(serialized: line.payload))
      case SessionStarted.protobufName: start(&session)
      case SessionSucceeded.protobufName: succeed(&session)
      case SessionFailed.protobufName: fail(&session, try SessionFailed(serialized: line.payload), line)
      case SessionLapsed.protobufName: lapse(&session, line)
      case FeedbackGiven.protobufName: feedback(&session, try FeedbackGiven(serialized: line.payload))
      default: false
      }
    if !isPossible { problems.append("impossible: \(line.type) of \(line.session), which is \(session)") }
    sessions[line.session] = session
  }

  private mutating func posted(_ event: SessionPosted, _ line: Line) throws {
    guard let start = event.startTime, let end = event.endTime, sessions[line.session] == nil else {
      problems.append("posted twice, or without a slot: \(line.session)")
      return
    }
    var session = Replayed(slot: try Instant(wire: start)..<(try Instant(wire: end)))
    session.owner = event.ownerID
    session.holdings = [Holding(user: event.ownerID, taken: line.at)]
    sessions[line.session] = session
    acts.insert(.init(act: .post, session: line.session, user: event.ownerID))
  }

  private mutating func match(_ session: inout Replayed, _ event: SessionMatched, _ line: Line) -> Bool {
    let isPossible =
      session.state == .open && session.owner == event.ownerID && event.partnerID != event.ownerID
      && line.at < session.slot.lowerBound
    session.state = .matched
    session.partner = event.partnerID
    session.holdings.append(Holding(user: event.partnerID, taken: line.at))
    acts.insert(.init(act: .join, session: line.session, user: event.partnerID))
    return isPossible
  }

  private mutating func cancel(_ session: inout Replayed, _ event: SessionCancelled, _ line: Line) throws -> Bool {
    let isParticipant = session.participants.contains(event.userID) && session.checkedIn.isEmpty
    let heir = session.participants.subtracting([event.userID]).first
    let isPossible =
      isParticipant && (session.state == .open || session.state == .matched) && event.ownerID == heir ?? ""
    if let time = event.cancelTime { session.departures.append((event.userID, try Instant(wire: time), heir != nil)) }
    session.free(event.userID, at: line.at)
    (session.owner, session.partner) = (heir, nil)
    session.state = heir == nil ? .cancelled : .open
    acts.insert(.init(act: .cancel, session: line.session, user: event.userID))
    return isPossible
  }

  private mutating func checkIn(_ session: inout Replayed, _ event: CheckedIn) throws -> Bool {
    guard let time = try event.checkInTime.map({ try Instant(wire: $0) }) else { return false }
    acts.insert(.init(act: .checkIn, session: event.sessionID, user: event.userID))
    let margin = Duration.seconds(900)
    let isInTime = session.slot.lowerBound - margin <= time && time <= session.slot.lowerBound + margin
    return session.state == .matched && session.participants.contains(event.userID) && isInTime
      && session.checkedIn.insert(event.userID).inserted
  }

  private func start(_ session: inout Replayed) -> Bool {
    defer { session.state = .successful }
    return session.state == .matched && session.checkedIn == session.participants
  }

  /// It counts once, when it is finished.
  private func succeed(_ session: inout Replayed) -> Bool {
    defer { session.counts = true }
    return session.state == .successful && !session.counts
  }

  private func fail(_ session: inout Replayed, _ event: SessionFailed, _ line: Line) -> Bool {
    let absent = session.participants.subtracting(session.checkedIn)
    let isExcused = stored.outages.contains {
      $0.lowerBound < session.slot.lowerBound + .seconds(900) && $0.upperBound > session.slot.lowerBound - .seconds(900)
    }
    defer {
      session.state = .failed
      for user in session.participants { session.free(user, at: line.at) }
    }
    session.barred = event.barred ? event.absentUserIds : []
    return session.state == .matched && !absent.isEmpty && Set(event.absentUserIds) == absent
      && event.barred == !isExcused && line.at > session.slot.lowerBound + .seconds(900)
  }

  private func lapse(_ session: inout Replayed, _ line: Line) -> Bool {
    defer {
      session.state = .lapsed
      for user in session.participants { session.free(user, at: line.at) }
    }
    return session.state == .open && line.at > session.slot.lowerBound + .seconds(900)
  }

  private mutating func feedback(_ session: inout Replayed, _ event: FeedbackGiven) -> Bool {
    let author = session.participants.subtracting([event.recipientID]).first ?? ""
    acts.insert(.init(act: .feedback, session: event.sessionID, user: author))
    return session.state == .successful && session.participants.contains(event.recipientID)
      && session.feedback.insert(event.recipientID).inserted
  }

  // MARK: Comparison

  /// Every acknowledged step is there, and no step that no user asked for.
  private func lost(_ journal: TrainingJournal) -> [String] {
    let acknowledged = Set(journal.acknowledged.all + journal.withdrawn.all)
    // A session is finished for both by one of them.
    let lost = acknowledged.subtracting(acts).map { "an acknowledgement was lost: \($0)" }
    let unknown = journal.unknown.all
    let unasked = acts.subtracting(acknowledged).filter { act in
      act.act != .finish
        && !unknown.contains {
          $0.act == act.act && $0.user == act.user && ($0.session.isEmpty || $0.session == act.session)
        }
    }
    let lifted = Set(journal.lifted.all).subtracting(stored.bars.filter { $0[7] == "true" }.compactMap { $0[0] })
    return lost + unasked.map { "nobody asked for it: \($0)" } + lifted.map { "a bar is not lifted: \($0)" }
  }

  /// Two sessions of a user that overlap, of which the second was taken before the first was over for the user.
  private func overlaps() -> [String] {
    var held: [String: [(slot: Range<Instant>, holding: Holding)]] = [:]
    for session in sessions.values {
      for holding in session.holdings { held[holding.user, default: []].append((session.slot, holding)) }
    }
    var complaints = stored.overlaps.map { "two active sessions overlap: \($0)" }
    for (user, all) in held {
      for (number, one) in all.enumerated() {
        for other in all[..<number] where one.slot.overlaps(other.slot) {
          let (first, second) = one.holding.taken < other.holding.taken ? (one, other) : (other, one)
          if first.holding.freed.map({ $0 > second.holding.taken }) ?? true {
            complaints.append("\(user) has two sessions at a time: \(first) \(second)")
          }
        }
      }
    }
    return complaints
  }

  private func comparedWithRows() -> [String] {
    var complaints: [String] = []
    for row in stored.sessions {
      guard let id = row[0], let session = sessions[id] else {
        complaints.append("a session without a history: \(row)")
        continue
      }
      let participants = Set([row[2], row[3]].compactMap(\.self))
      // A removed session keeps its owner.
      if row[1] != session.state.rawValue || (session.state != .cancelled && participants != session.participants) {
        complaints.append("the session \(row) is not where its history leaves it: \(session)")
      }
    }
    let given = sessions.flatMap { id, session in session.feedback.map { "\(id) \($0)" } }
    let rows = stored.feedback.map { "\($0[0] ?? "") \($0[1] ?? "")" }
    if given.sorted() != rows.sorted() { complaints.append("other feedback is stored than was told") }
    return complaints
  }

  /// Every bar has its cause, and every cause its bar.
  private func bars(_ journal: TrainingJournal) -> [String] {
    var complaints: [String] = []
    let withdrawn = Set(journal.withdrawn.all)
    var missing = Dictionary(
      grouping: sessions.flatMap { id, session in session.barred.map { "NO_SHOW \(id) \($0)" } }, by: \.self
    ).mapValues(\.count)
    var (mayBeLate, isLate) = ([String: Int](), [String: Int]())
    for (id, session) in sessions {
      // Only an unmatched post is withdrawn; its user may have left it before, when it had a partner.
      for departure in session.departures
      where departure.leftPartner || !withdrawn.contains(.init(act: .cancel, session: id, user: departure.user)) {
        let notice = session.slot.lowerBound - departure.at
        let key = "LATE_CANCELLATION \(id) \(departure.user)"
        // The decision was made a moment before the time that is told.
        if notice < .seconds(3_605) { mayBeLate[key, default: 0] += 1 }
        if notice < .seconds(3_595) { isLate[key, default: 0] += 1 }
      }
    }
    var late: [String: Int] = [:]
    for bar in stored.bars {
      guard let user = bar[1], let id = bar[2], let cause = bar[3], let session = sessions[id],
        let from = Self.instant(bar[4]), let to = Self.instant(bar[5])
      else {
        complaints.append("a bar without a session: \(bar)")
        continue
      }
      let key = "\(cause) \(id) \(user)"
      let isWhole: Bool
      if cause == "NO_SHOW" {
        missing[key, default: 0] -= 1
        isWhole = from == session.slot.lowerBound + .seconds(900) && to == from + .seconds(72 * 3_600)
      } else {
        late[key, default: 0] += 1
        isWhole = to == from + .seconds(24 * 3_600)
      }
      if !isWhole || bar[6] != (bar[7] == "true" ? "2" : "1") { complaints.append("a wrong bar: \(bar)") }
    }
    for (key, count) in missing where count != 0 { complaints.append("bars and causes differ by \(count): \(key)") }
    for key in Set(late.keys).union(isLate.keys) {
      let count = late[key] ?? 0
      if count < isLate[key] ?? 0 || count > mayBeLate[key] ?? 0 { complaints.append("\(count) bars: \(key)") }
    }
    return complaints
  }

  /// Who was refused as barred was barred until then.
  private func barredWithoutCause(_ journal: TrainingJournal) -> [String] {
    let ends = Set(stored.bars.map { [$0[1] ?? "", Self.instant($0[5]).map { "\($0)" } ?? ""] })
    return Set(journal.barred.all).subtracting(ends).map { "barred without a bar: \($0)" }
  }

  /// Attendance and ratings are those of the history, each counted once; who leaves a partner too late has missed the session ([MA-7]).
  private func reputations() -> [String] {
    var (attended, missed, perhapsMissed) = ([String: Int](), [String: Int](), [String: Int]())
    for session in sessions.values {
      for departure in session.departures where departure.leftPartner {
        let notice = session.slot.lowerBound - departure.at
        // The decision was made a moment before the time that is told.
        if notice < .seconds(3_595) {
          missed[departure.user, default: 0] += 1
        } else if notice < .seconds(3_605) {
          perhapsMissed[departure.user, default: 0] += 1
        }
      }
      switch session.state {
      case .successful: for user in session.participants { attended[user, default: 0] += 1 }
      case .failed:
        for user in session.checkedIn { attended[user, default: 0] += 1 }
        for user in session.barred { missed[user, default: 0] += 1 }
      case .open, .matched, .lapsed, .cancelled: break
      }
    }
    // An author counts once, by the latest rating.
    let ratings = Dictionary(grouping: stored.feedback) { $0[1] ?? "" }.mapValues { rows in
      Array(Dictionary(rows.map { ($0[3] ?? "", $0[2].flatMap { Int($0) } ?? 0) }) { $1 }.values)
    }
    return stored.users.compactMap { row in
      let user = row[0] ?? ""
      let stars = ratings[user] ?? []
      let numbers = row.dropFirst().map { $0.flatMap { Int($0) } ?? -1 }
      let certain = missed[user] ?? 0
      let possible = certain...certain + (perhapsMissed[user] ?? 0)
      let expected = [attended[user] ?? 0, stars.count, stars.reduce(0, +)]
      let isRight = [numbers[0], numbers[2], numbers[3]] == expected && possible.contains(numbers[1])
      return isRight ? nil : "counted otherwise: \(row), \(expected), missed \(possible)"
    }
  }
}
