import TTRPC

/// The callers of the tests; those with a column in the table come first, in its order.
enum Role: String, CaseIterable, Sendable {
  /// Without credentials.
  case nobody
  /// A user with no relation to the owner.
  case stranger
  /// A user in a group with the owner.
  case member
  /// The user who owns what the call is about.
  case owner
  /// A user whom the owner has blocked.
  case blocked
  /// The owner, by the token of a session that has ended.
  case revoked
  /// A service of the suite that may call almost no method, by its certificate.
  case service
  /// The operator of the suite, by certificate.
  case `operator`
  // Also by certificates of the suite's authority: the other services, the gyms' usage feed, the gateway, and a name that the suite does
  // not know.
  case identity, matching, catalog, lending, importer
  case usageFeed = "usage-feed"
  case gateway, whatever

  /// The callers with a column.
  static let columns = allCases.prefix { $0 != .identity }

  /// The certificate that the caller presents, if any.
  var certificate: Certificate {
    switch self {
    case .service: .tracking
    case .operator, .identity, .matching, .catalog, .lending, .importer, .usageFeed, .gateway, .whatever:
      Certificate(rawValue: rawValue) ?? .none
    case .nobody, .stranger, .member, .owner, .blocked, .revoked: .none
    }
  }
}

/// The expected outcome of a call.
enum Outcome: Equatable, Sendable {
  /// An answer with these fields set.
  case answered(Set<String>)
  case refused(Code, String)
}

/// A service of the contract with its rows.
struct AccessTable: Sendable {
  /// The server: a service of the suite, or `every`.
  let server: String
  /// The full name.
  let service: String
  let rows: [Row]

  /// A method: its callers, its requests, and the fields of its response.
  struct Row: Sendable {
    let method: String
    /// A mark for each caller with a column, see ``marks``.
    let outcomes: [Role: String]
    /// The services and operators whose certificates may call the method; empty for none.
    let callers: [String]
    /// The preparations before each call, by the names of ``Scene/steps``.
    let steps: [String]
    /// The requests in JSON; ``Scene`` replaces what is in braces.
    let requests: [String]
    /// How many responses of a stream are checked; `Int.max` for all after the client has ended its side.
    let answers: Int
    /// The fields of a response, by caller; under `nil` for all other callers. A field that ends in `?` may be missing.
    let fields: [Role?: Set<String>]

    /// The expected mark of a caller: certificates differ only in whether the method names them.
    func mark(of caller: Role) -> String {
      if callers.isEmpty || caller.certificate == .none { return outcomes[caller] ?? outcomes[.service] ?? "" }
      return callers.contains(caller.certificate.rawValue) ? "ok" : "caller"
    }

    /// The callers that are tried: those without a column only for methods with access `service`, or that need a token.
    var tried: [Role] { outcomes[.service] == "ok" && callers.isEmpty ? Array(Role.columns) : Role.allCases }

    /// Whether the request's content matters: not for callers who are refused without a token.
    func isRead(from caller: Role) -> Bool { !callers.isEmpty || Role.columns.contains(caller) }

    /// The same for a call whose content does not matter.
    var withoutRequest: Row {
      .init(
        method: method, outcomes: outcomes, callers: callers, steps: [], requests: ["{}"], answers: answers,
        fields: fields)
    }

    /// The fields that a caller sees always, and those that may be missing.
    func allowed(_ caller: Role) -> (always: Set<String>, perhaps: Set<String>) {
      let named = fields[caller] ?? fields[nil] ?? []
      return (
        named.filter { !$0.hasSuffix("?") }, Set(named.filter { $0.hasSuffix("?") }.map { String($0.dropLast()) })
      )
    }
  }

  /// The meaning of the marks in the table, beside `ok`. They name what is missing.
  static let marks: [String: (code: Code, reason: String)] = [
    // The call has no credentials.
    "token": (.unauthenticated, "TOKEN_MISSING"),
    // The session has ended.
    "session": (.unauthenticated, "TOKEN_REVOKED"),
    // The caller has no service certificate.
    "suite": (.unauthenticated, "SERVICE_IDENTITY_MISSING"),
    // A user calls a method for services.
    "service": (.permissionDenied, "SERVICE_TOKEN_REQUIRED"),
    // A service calls a method for other services.
    "caller": (.permissionDenied, "CALLER_NOT_ALLOWED"),
    // The caller is not a member of the group, or it does not exist.
    "member": (.permissionDenied, "NOT_A_MEMBER"),
    // The invitation is not open, or is another user's.
    "invited": (.notFound, "INVITATION_NOT_FOUND"),
    // Another user owns what the call is about; its existence is not secret.
    "owner": (.permissionDenied, "NOT_THE_OWNER"),
    // Another user wrote the comment, and owns its book.
    "author": (.permissionDenied, "NOT_THE_AUTHOR"),
    // The comment does not exist, or is not visible to the caller.
    "comment": (.notFound, "COMMENT_NOT_FOUND"),
    // The user does not exist, or is not visible to the caller.
    "person": (.notFound, "USER_NOT_FOUND"),
    // The book does not exist, or is not visible to the caller.
    "book": (.notFound, "BOOK_NOT_FOUND"),
    // The caller has no such device.
    "device": (.notFound, "DEVICE_NOT_FOUND"),
    // The caller has no such passkey.
    "passkey": (.notFound, "PASSKEY_NOT_FOUND"),
    // The caller has no such session.
    "login": (.notFound, "SESSION_NOT_FOUND"),
    // The caller has no such identity at a provider.
    "identity": (.notFound, "IDENTITY_NOT_FOUND"),
    // The caller has not begun this attempt at a provider.
    "attempt": (.failedPrecondition, "ATTEMPT_INVALID"),
    // The workout, log or link does not exist, or is not visible to the caller.
    "workout": (.notFound, "WORKOUT_NOT_FOUND"),
    "log": (.notFound, "LOG_NOT_FOUND"),
    "share": (.notFound, "SHARE_NOT_FOUND"),
    // The workout is curated.
    "curated": (.permissionDenied, "CURATED_WORKOUT"),
    // The caller has no such activity.
    "activity": (.notFound, "ACTIVITY_NOT_FOUND"),
    // The activity has only this source.
    "split": (.failedPrecondition, "ONLY_SOURCE"),
    // The caller is not a party of the loan, or it does not exist.
    "loan": (.notFound, "LOAN_NOT_FOUND"),
    // Only the other party may call it.
    "borrower": (.permissionDenied, "NOT_THE_BORROWER"),
    // The training session does not exist, or is not visible to the caller.
    "training": (.notFound, "SESSION_NOT_FOUND"),
    // The user is not on the map of partners, or not visible to the caller.
    "partner": (.notFound, "PARTNER_NOT_FOUND"),
    // The caller has no such link, repetition or search.
    "calendar": (.notFound, "CALENDAR_LINK_NOT_FOUND"),
    "repeated": (.notFound, "REPETITION_NOT_FOUND"),
    "search": (.notFound, "SEARCH_NOT_FOUND"),
    // The caller posted the training session.
    "poster": (.failedPrecondition, "OWN_SESSION"),
    // The caller is not a member of the group, or it does not exist.
    "home": (.notFound, "GROUP_NOT_FOUND"),
    // The caller is not a member of a group that sees the journey, or it does not exist.
    "journey": (.notFound, "JOURNEY_NOT_FOUND"),
    // The caller has no such place.
    "place": (.notFound, "PLACE_NOT_FOUND"),
    // There is no such tracker, or it is not connected.
    "tracker": (.notFound, "TRACKER_NOT_FOUND"),
    "unconnected": (.notFound, "TRACKER_NOT_CONNECTED"),
    // The import does not exist, or is another user's.
    "import": (.notFound, "IMPORT_NOT_FOUND"),
    // The caller owns the book.
    "own": (.failedPrecondition, "OWN_BOOK"),
    // The caller is not in the conversation, or it does not exist.
    "chat": (.notFound, "CONVERSATION_NOT_FOUND"),
    // Another user wrote the message.
    "sender": (.permissionDenied, "NOT_THE_SENDER"),
    // The call is about another user than the caller.
    "self": (.invalidArgument, "OWN_USER_ID"),
  ]

  /// All tables; a new service of the contract is added here.
  static let all = parsed(
    everyService + identity + federatedLogins + notification + books + exercises + gyms + workouts + lending
      + matching + tracking + chat + trackers + importer)

  /// The rows of a method: more than one if the outcome depends on the request.
  func rows(_ method: String) -> [Row] { rows.filter { $0.method == method } }
}

// MARK: Reading the table

extension AccessTable {
  /// Parses the text of tables, in this form:
  ///
  /// ```
  /// tandem.identity.v1.Groups at identity
  ///               nobody   stranger member   owner    blocked  revoked  service  operator
  ///   GetGroup    token    member   ok       ok       member   session  token    token
  ///     before    badge
  ///     request   {"groupId": "{group}"}
  ///     answer    group_id name member_count
  ///     answer to owner: group_id name member_count etag
  /// ```
  ///
  /// `callers catalog lending` names the services whose certificates may call a method for services.
  static func parsed(_ text: String) -> [AccessTable] {
    var reader = TableReader()
    for line in text.split(separator: "\n") { reader.read(line) }
    return reader.tables
  }
}

/// Collects lines into rows.
private struct TableReader {
  var tables: [AccessTable] = []
  private var lists: [String: [String]] = [:]

  mutating func read(_ line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return }
    switch first {
    case "nobody": precondition(words == Role.columns.map(\.rawValue), "the columns of the table have other names")
    case "fields": lists[words[1]] = Array(words.dropFirst(3))
    case "callers": change { $0.with(callers: Array(words.dropFirst())) }
    case "before": change { $0.with(steps: words.dropFirst()) }
    case "request": change { $0.with(request: line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "") }
    case "answers": change { $0.with(answers: words[1] == "all" ? .max : Int(words[1]) ?? 1) }
    case "answer": addFields(words)
    case _ where words.count == 3 && words[1] == "at":
      tables.append(AccessTable(server: words[2], service: first, rows: []))
    default: addRow(first, words.dropFirst())
    }
  }

  private mutating func addRow(_ method: String, _ marks: ArraySlice<String>) {
    precondition(marks.count == Role.columns.count, "\(method) has \(marks.count) outcomes, not one for each caller")
    for mark in marks where mark != "ok" {
      precondition(AccessTable.marks[mark] != nil, "\(method): \(mark) stands for nothing")
    }
    let outcomes = Dictionary(uniqueKeysWithValues: zip(Role.columns, marks))
    change(table: { table in
      AccessTable(
        server: table.server, service: table.service,
        rows: table.rows + [
          .init(method: method, outcomes: outcomes, callers: [], steps: [], requests: [], answers: 1, fields: [:])
        ])
    })
  }

  /// `answer FIELD …`, or `answer to CALLER …: FIELD …`.
  private mutating func addFields(_ words: [String]) {
    var callers: [Role?] = [nil]
    var fields = words.dropFirst()
    if fields.first == "to", let colon = fields.firstIndex(where: { $0.hasSuffix(":") }) {
      callers = fields[fields.startIndex.advanced(by: 1)...colon].map { word in
        guard let caller = Role(rawValue: word.hasSuffix(":") ? String(word.dropLast()) : word) else {
          preconditionFailure("\(word) is no caller")
        }
        return caller
      }
      fields = fields[(colon + 1)...]
    }
    let all = Set(fields.flatMap { expanded($0) })
    change { row in row.with(fields: all, for: callers) }
  }

  /// `users.$record` stands for every field of the list `record`, prefixed by `users.`; with a `?` each of them may be missing.
  private func expanded(_ word: String) -> [String] {
    let parts = word.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return word == "nothing" ? [] : [word] }
    let (name, mayBeMissing) = parts[1].hasSuffix("?") ? (String(parts[1].dropLast()), true) : (parts[1], false)
    guard let list = lists[name] else { preconditionFailure("there is no list \(name)") }
    return list.map { parts[0] + $0 + (mayBeMissing && !$0.hasSuffix("?") ? "?" : "") }
  }

  private mutating func change(_ change: (AccessTable.Row) -> AccessTable.Row) {
    self.change(table: { table in
      guard let last = table.rows.last else { preconditionFailure("a line belongs to no row") }
      return AccessTable(
        server: table.server, service: table.service, rows: table.rows.dropLast() + [change(last)])
    })
  }

  private mutating func change(table change: (AccessTable) -> AccessTable) {
    guard let last = tables.popLast() else { preconditionFailure("a row belongs to no service") }
    tables.append(change(last))
  }
}

extension AccessTable.Row {
  fileprivate func with(
    steps: ArraySlice<String> = [], request: String? = nil, answers: Int? = nil, fields added: Set<String> = [],
    for seers: [Role?] = [], callers: [String]? = nil
  ) -> AccessTable.Row {
    var fields = fields
    for seer in seers { fields[seer] = added }
    return .init(
      method: method, outcomes: outcomes, callers: callers ?? self.callers, steps: self.steps + steps,
      requests: requests + (request.map { [$0.trimmed] } ?? []),
      answers: answers ?? self.answers, fields: fields)
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
