import TTRPC

/// Who calls; first those who have a column of the table each, in its order.
enum Role: String, CaseIterable, Sendable {
  /// Without any proof.
  case nobody
  /// A user who has nothing to do with the owner.
  case stranger
  /// A user who is in a group with the owner.
  case member
  /// The user whose thing it is.
  case owner
  /// A user whom the owner has blocked.
  case blocked
  /// The owner, by the token of a session that has ended.
  case revoked
  /// A service of the suite that has nothing to do with nearly all methods, by its certificate.
  case service
  /// Whoever operates the suite, by their certificate.
  case `operator`
  // By certificates of the suite's authority too: the other services, the gyms' own counting, what stands before the services, and a name
  // that the suite does not know.
  case identity, matching, catalog, lending, importer
  case usageFeed = "usage-feed"
  case gateway, whatever

  /// Those that have a column.
  static let columns = allCases.prefix { $0 != .identity }

  /// The certificate that it shows, where it shows one.
  var certificate: Certificate {
    switch self {
    case .service: .tracking
    case .operator, .identity, .matching, .catalog, .lending, .importer, .usageFeed, .gateway, .whatever:
      Certificate(rawValue: rawValue) ?? .none
    case .nobody, .stranger, .member, .owner, .blocked, .revoked: .none
    }
  }
}

/// What a caller gets.
enum Outcome: Equatable, Sendable {
  /// An answer with these fields set.
  case answered(Set<String>)
  case refused(Code, String)
}

/// A service of the contract with its rows.
struct AccessTable: Sendable {
  /// Who serves it: a service of the suite, or `every`.
  let server: String
  /// The full name.
  let service: String
  let rows: [Row]

  /// A method: who may call it, what the call says, and what is in the answer.
  struct Row: Sendable {
    let method: String
    /// For each caller who has a column a mark, see ``marks``.
    let outcomes: [Role: String]
    /// Whose certificates open the method; empty where none does.
    let callers: [String]
    /// What happens before each call, by the names of ``Scene/steps``.
    let steps: [String]
    /// The messages that are sent, in JSON; what is in braces is put in by ``Scene``.
    let requests: [String]
    /// How many messages of a stream are looked at.
    let answers: Int
    /// The fields of an answer; for callers who are not named those of `nil`. One that ends in `?` may be missing.
    let fields: [Role?: Set<String>]

    /// What a caller gets: nothing tells certificates apart but the names of those that open the method.
    func mark(of caller: Role) -> String {
      if callers.isEmpty || caller.certificate == .none { return outcomes[caller] ?? outcomes[.service] ?? "" }
      return callers.contains(caller.certificate.rawValue) ? "ok" : "caller"
    }

    /// Who calls it in the tests: those without a column only what is for services, or needs a token.
    var tried: [Role] { outcomes[.service] == "ok" && callers.isEmpty ? Array(Role.columns) : Role.allCases }

    /// Whether what a caller says makes a difference: it does not to those who are refused for want of a token.
    func isRead(from caller: Role) -> Bool { !callers.isEmpty || Role.columns.contains(caller) }

    /// What a caller may see: fields that are there, and fields that may be there.
    func allowed(_ caller: Role) -> (always: Set<String>, perhaps: Set<String>) {
      let named = fields[caller] ?? fields[nil] ?? []
      return (
        named.filter { !$0.hasSuffix("?") }, Set(named.filter { $0.hasSuffix("?") }.map { String($0.dropLast()) })
      )
    }
  }

  /// What the words in the table stand for, beside `ok`. They name what is missing.
  static let marks: [String: (code: Code, reason: String)] = [
    // Nothing was sent with the call that would prove who it is.
    "token": (.unauthenticated, "TOKEN_MISSING"),
    // The session has ended.
    "session": (.unauthenticated, "TOKEN_REVOKED"),
    // Nothing proves that a service calls.
    "suite": (.unauthenticated, "SERVICE_IDENTITY_MISSING"),
    // A user calls, and only services may.
    "service": (.permissionDenied, "SERVICE_TOKEN_REQUIRED"),
    // A service calls, and only others may.
    "caller": (.permissionDenied, "CALLER_NOT_ALLOWED"),
    // The caller is not a member of the group, if there is one.
    "member": (.permissionDenied, "NOT_A_MEMBER"),
    // The thing is somebody else's, which everybody may know.
    "owner": (.permissionDenied, "NOT_THE_OWNER"),
    // For the caller there is no such user.
    "person": (.notFound, "USER_NOT_FOUND"),
    // For the caller there is no such book.
    "book": (.notFound, "BOOK_NOT_FOUND"),
    // The caller has no such device.
    "device": (.notFound, "DEVICE_NOT_FOUND"),
    // The caller has no such passkey.
    "passkey": (.notFound, "PASSKEY_NOT_FOUND"),
    // The caller has no such session.
    "login": (.notFound, "SESSION_NOT_FOUND"),
    // The caller has no such identity at a provider.
    "identity": (.notFound, "IDENTITY_NOT_FOUND"),
    // The caller has not begun this at a provider.
    "attempt": (.failedPrecondition, "ATTEMPT_INVALID"),
    // For the caller there is no such workout, no such log and no such link.
    "workout": (.notFound, "WORKOUT_NOT_FOUND"),
    "log": (.notFound, "LOG_NOT_FOUND"),
    "share": (.notFound, "SHARE_NOT_FOUND"),
    // The workout is everybody's.
    "curated": (.permissionDenied, "CURATED_WORKOUT"),
    // The caller is no party of the loan, if there is one.
    "loan": (.notFound, "LOAN_NOT_FOUND"),
    // The other party alone may.
    "borrower": (.permissionDenied, "NOT_THE_BORROWER"),
    // The book is the caller's.
    "own": (.failedPrecondition, "OWN_BOOK"),
  ]

  /// Everything: add what a new service of the contract needs here.
  static let all = parsed(
    everyService + identity + federatedLogins + notification + books + exercises + gyms + workouts + lending)

  /// The rows of a method: more than one where it depends on what is asked for.
  func rows(_ method: String) -> [Row] { rows.filter { $0.method == method } }
}

// MARK: Reading the table

extension AccessTable {
  /// Reads the text of tables, whose form is:
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
  /// `callers catalog lending` names those whose certificates open a method for services.
  static func parsed(_ text: String) -> [AccessTable] {
    var reader = TableReader()
    for line in text.split(separator: "\n") { reader.read(line) }
    return reader.tables
  }
}

/// Puts lines together.
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
    case "answers": change { $0.with(answers: Int(words[1]) ?? 1) }
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

  /// `users.$record` stands for every field of the list `record` behind `users.`; with a `?` each of them may be missing.
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
