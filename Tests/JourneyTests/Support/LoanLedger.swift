import LendingDomain

/// Replays the stored history and compares it with the rules, with the stored state, and with the users' notifications.
struct LoanLedger {
  private struct Line {
    let book: String
    let number: Int
    let loan: String
    let actor: String?
    let step: Step
    let previousState: LoanState?
    let state: LoanState
    let previousStatus: BookStatus
    let status: BookStatus
  }

  /// The state of a book by its history.
  private struct Replayed {
    var status = BookStatus.available
    var steps = 0
    var states: [String: LoanState] = [:]

    var waiting: Int { states.values.filter { $0 == .pending }.count }
    var holders: Int { states.values.filter { $0 == .accepted || $0 == .borrowed }.count }
  }

  private let suite: ThreeServices

  init(_ suite: ThreeServices) { self.suite = suite }

  /// Books whose status in the catalog differs from lending's.
  static let disagreementsOnStatus = """
    select books.id::text from catalog.books as books
    left join lending.books as lent on lent.id = books.id
    left join lending.loans as loan on loan.id = lent.loan_id
    where books.status <> coalesce(lent.status, 'AVAILABLE') or books.borrower_id is distinct from loan.borrower_id
    """

  /// Books whose status in the catalog differs from lending's, and loans whose comment is not there exactly once.
  static let disagreements = """
    \(disagreementsOnStatus)
    union all
    select coalesce(loan.comment, comment.text)
    from (select comment from lending.loans where comment is not null and owner_id is not null) as loan
    full join (select text from catalog.comments) as comment on comment.text = loan.comment
    where loan.comment is null or comment.text is null
    union all
    select text from catalog.comments group by text having count(*) > 1
    """

  /// A row for each user whose account deletion is not settled, and for each loan that a party has confirmed the return of and another who
  /// has left cannot.
  static let unsettled = """
    select id::text from lending.users where not cleaned_up
    union all
    select id::text from lending.loans
    where state = 'BORROWED' and (owner_id is null or borrower_id is null)
      and (returned_by_owner_at is not null or returned_by_borrower_at is not null)
    """

  /// A line for everything that is wrong.
  ///
  /// - Parameter departed: users who deleted their accounts, perhaps: the history no longer names them, and that of a book without an owner
  ///   lacks the loans whose borrowers have left too.
  func complaints(
    _ acknowledged: [LoanActor.Acknowledgement], departed: Set<String> = []
  ) async throws -> [String] {
    let lines = try await lines()
    let owned = Set(try await suite.sql("select id from lending.books where owner_id is not null").compactMap { $0[0] })
    var (complaints, books) = ([String](), [String: Replayed]())
    for line in lines where owned.contains(line.book) {
      replay(line, &books[line.book, default: Replayed()], &complaints)
    }
    complaints += try await comparedWithRows(books)
    complaints += try await lost(acknowledged, lines, departed)
    return complaints + (try await comparedWithEvents())
  }

  private func lost(
    _ acknowledged: [LoanActor.Acknowledgement], _ lines: [Line], _ departed: Set<String>
  ) async throws -> [String] {
    let ended = Set(try await suite.sql("select id::text from lending.users where deleted").compactMap { $0[0] })
    let taken = Set(lines.map { "\($0.loan) \($0.actor ?? "") \($0.step.rawValue)" })
    let loans = Set(
      lines.map(\.loan) + (try await suite.sql("select id::text from lending.loans").compactMap { $0[0] }))
    return acknowledged.filter { one in
      let hasLeft = departed.contains(one.actor) && ended.contains(one.actor)
      if hasLeft, !loans.contains(one.loan) { return false }
      let actor = hasLeft ? "" : one.actor
      return !one.steps.contains { taken.contains("\(one.loan) \(actor) \($0)") }
    }.map { "an acknowledgement was lost: \($0)" }
  }

  private func replay(_ line: Line, _ book: inout Replayed, _ complaints: inout [String]) {
    let before = book.states[line.loan]
    book.steps += 1
    book.states[line.loan] = line.state
    let isPossible =
      line.step == .request ? line.state == .pending && before == nil : before?.after(line.step) == line.state
    let leads = line.previousStatus.after(line.step, waiting: book.waiting) == line.status
    if line.number != book.steps || line.previousStatus != book.status || line.previousState != before || !isPossible
      || !leads
    {
      complaints.append("impossible: \(line)")
    }
    if book.holders > 1 { complaints.append("two holders: \(line)") }
    book.status = line.status
  }

  private func lines() async throws -> [Line] {
    let rows = try await suite.sql(
      """
      select book_id, number, loan_id, actor_id, step, previous_state, state, previous_status, status
      from lending.history order by book_id, number
      """)
    return rows.compactMap { row in
      guard let book = row[0], let number = row[1].flatMap({ Int($0) }), let loan = row[2],
        let step = row[4].flatMap({ Step(rawValue: $0) }), let state = row[6].flatMap({ LoanState(rawValue: $0) }),
        let previous = row[7].flatMap({ BookStatus(rawValue: $0) }),
        let status = row[8].flatMap({ BookStatus(rawValue: $0) })
      else { return nil }
      return Line(
        book: book, number: number, loan: loan, actor: row[3], step: step,
        previousState: row[5].flatMap { LoanState(rawValue: $0) }, state: state, previousStatus: previous,
        status: status)
    }
  }

  private func comparedWithRows(_ books: [String: Replayed]) async throws -> [String] {
    var complaints: [String] = []
    let rows = "select id, status, waiting::text, steps::text from lending.books where owner_id is not null"
    for row in try await suite.sql(rows) {
      let replayed = row[0].flatMap { books[$0] } ?? Replayed()
      if row[1] != replayed.status.rawValue || row[2] != "\(replayed.waiting)" || row[3] != "\(replayed.steps)" {
        complaints.append("the book \(row) is not where its history leaves it: \(replayed)")
      }
    }
    for row in try await suite.sql("select book_id, id, state from lending.loans where owner_id is not null") {
      guard let book = row[0], let id = row[1] else { continue }
      if books[book]?.states[id]?.rawValue != row[2] { complaints.append("the loan \(row) has another history") }
    }
    return complaints
  }

  /// Each change of a status was published once, and nothing else was.
  private func comparedWithEvents() async throws -> [String] {
    try await suite.sql(
      """
      select coalesce(changed.book, told.key)
      from (
        select book_id::text as book, count(*) as number from lending.history where previous_status <> status group by 1
      ) as changed
      full join (
        select key, count(*) as number from lending.events where type = 'tandem.events.v1.BookStatusChanged' group by 1
      ) as told on told.key = changed.book
      where changed.number is distinct from told.number
        and exists (select from lending.books where id::text = coalesce(changed.book, told.key) and owner_id is not null)
      """
    ).map { "the events of the book \($0) are not its history" }
  }
}
