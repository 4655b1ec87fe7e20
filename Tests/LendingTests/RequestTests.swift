import Blocks
import GoogleType
import LendingStore
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing
import Usernames

@Suite("requests for books")
struct RequestTests {
  @Test("[LE-1] a request makes the book requested, keeps what it is, and tells its owner")
  func request() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list("Dune")
      let loan = try await lending.request(book)
      #expect(loan.state == .pending && loan.bookStatus == .requested && loan.title == "Dune")
      #expect(loan.description == "A copy that was read once." && loan.ownerUsername == "ada")
      #expect(loan.borrowerUsername == "grace.h" && loan.isbn == ListedBook.isbn)
      #expect(try await lending.status(of: book) == "REQUESTED")
      let changes = try await lending.told(BookStatusChanged.self)
      #expect(changes.map(\.status) == [.requested] && changes.map(\.previousStatus) == [.available])
      let notices = try await lending.told(NotificationRequested.self)
      #expect(notices.map(\.word) == ["requested"])
      #expect(notices.first?.recipientIds == [TestUser.ada.id.description])

      _ = try await lending.request(book, as: .alan)
      #expect(try await lending.told(BookStatusChanged.self).count == 1, "it was requested before")
      #expect(try await lending.value("select waiting from books") == "2")
    }
  }

  @Test("[LE-2] an owner's name that was not known at the request is shown as it is now, a known one as it was")
  func lateName() async throws {
    try await RunningLending.with { lending in
      // What only lacks a name can be requested although the catalog does not tell it.
      lending.catalog.isDown.withLock { $0 = true }
      let owner = TestUser.one(1)
      #expect(try await lending.request(try await lending.list(of: owner)).ownerUsername.isEmpty)
      for name in ["first", "second"] {
        try await lending.own.write(NameUsers([Naming(owner.id, name)]))
        #expect(try await lending.request(try await lending.list(of: owner)).ownerUsername == name)
      }
      let mine = try await lending.loans.listMyRequests(ListMyRequestsRequest(), TestUser.grace.options).loans
      #expect(mine.map(\.ownerUsername) == ["second", "first", "second"], "the newest first")
    }
  }

  @Test("[LE-1] one's own book, twice, and what somebody has are refused, each with its reason")
  func refusals() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let own = try await refusal { try await lending.request(book, as: .ada) }
      #expect(own.code == .failedPrecondition && own.reason == "OWN_BOOK")
      let loan = try await lending.request(book)
      let twice = try await refusal { try await lending.request(book) }
      #expect(twice.code == .failedPrecondition && twice.reason == "ALREADY_REQUESTED")
      _ = try await lending.accept(loan)
      let promised = try await refusal { try await lending.request(book, as: .alan) }
      #expect(promised.code == .failedPrecondition && promised.reason == "NOT_REQUESTABLE")
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      let lent = try await refusal { try await lending.request(book, as: .alan) }
      #expect(lent.reason == "NOT_REQUESTABLE")
      #expect(try await lending.value("select count(*) from loans") == "1")
    }
  }

  @Test("[LE-15] there is no such book, or no id at all")
  func unknown() async throws {
    try await RunningLending.with { lending in
      let none = try await refusal {
        try await lending.loans.requestBook(
          RequestBookRequest(bookID: "019bc186-de00-7000-8080-000000000000"), TestUser.grace.options)
      }
      #expect(none.code == .notFound && none.reason == "BOOK_NOT_FOUND")
      let bad = try await refusal {
        try await lending.loans.requestBook(
          RequestBookRequest(bookID: "x", requestID: "y"), TestUser.grace.options)
      }
      #expect(bad.code == .invalidArgument && bad.fieldReasons == ["REQUEST_ID_INVALID", "BOOK_ID_INVALID"])
    }
  }

  @Test("[C-2] an id that is none is a bad field, wherever it is sent")
  func badIDs() async throws {
    try await RunningLending.with { lending in
      let (loans, options) = (lending.loans, TestUser.grace.options)
      let refused = [
        try await refusal { try await loans.withdrawRequest(WithdrawRequestRequest(loanID: "x"), options) },
        try await refusal { try await loans.declineRequest(DeclineRequestRequest(loanID: "x"), options) },
        try await refusal { try await loans.cancelLoan(CancelLoanRequest(loanID: "x"), options) },
        try await refusal { try await loans.recallLoan(RecallLoanRequest(loanID: "x"), options) },
        try await refusal { try await loans.getLoan(GetLoanRequest(loanID: "x"), options) },
        try await refusal { try await loans.listHistory(ListHistoryRequest(subject: .loanID("x")), options) },
        try await refusal {
          try await loans.confirmReturn(ConfirmReturnRequest(loanID: "x", isbn: ListedBook.isbn), options)
        },
      ]
      #expect(refused.map(\.reason) == Array(repeating: "LOAN_ID_INVALID", count: refused.count))
      let book = try await refusal { try await loans.requestBook(RequestBookRequest(bookID: "x"), options) }
      #expect(book.reason == "BOOK_ID_INVALID")
    }
  }

  @Test("[C-2] a loan that is not the caller's is named together with the other bad fields, and alone is not found")
  func unknownLoans() async throws {
    try await RunningLending.with { lending in
      let foreign = try await lending.request(try await lending.list()).loanID
      let (loans, options) = (lending.loans, TestUser.alan.options)
      for id in [foreign, "019bc186-de00-7000-8080-000000000000"] {
        let place = TandemLending.Pickup(place: .point(Point(latitude: 91, longitude: 0)))
        let moved = try await refusal {
          try await loans.changePickup(ChangePickupRequest(loanID: id, pickup: place), options)
        }
        #expect(moved.fieldReasons == ["POINT_INVALID", "LOAN_NOT_FOUND"])
        let handed = try await refusal {
          try await loans.confirmHandover(ConfirmHandoverRequest(loanID: id, isbn: "1"), options)
        }
        #expect(handed.fieldReasons == ["INVALID_ISBN", "LOAN_NOT_FOUND"])
        let back = try await refusal {
          try await loans.confirmReturn(ConfirmReturnRequest(loanID: id, isbn: "1", comment: "a\u{202E}"), options)
        }
        #expect(back.fieldReasons == ["INVALID_ISBN", "COMMENT_INVALID", "LOAN_NOT_FOUND"])
        let alone = try await refusal {
          try await loans.confirmReturn(ConfirmReturnRequest(loanID: id, isbn: ListedBook.isbn), options)
        }
        #expect(alone.code == .notFound && alone.reason == "LOAN_NOT_FOUND")
      }
    }
  }

  @Test("[C-4] [C-6] a rehearsal stores nothing, a repeated request id asks once")
  func repeats() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      var call = RequestBookRequest(bookID: book.text, validateOnly: true)
      let dryRun = try await lending.loans.requestBook(call, TestUser.grace.options)
      #expect(dryRun.state == .pending)
      #expect(try await lending.status(of: book) == "AVAILABLE")
      call = RequestBookRequest(bookID: book.text, requestID: "019bc186-de00-7000-8080-000000000001")
      let first = try await lending.loans.requestBook(call, TestUser.grace.options)
      let again = try await lending.loans.requestBook(call, TestUser.grace.options)
      #expect(first == again)
      #expect(try await lending.told(NotificationRequested.self).count == 1)
    }
  }

  @Test("[C-4] a repeated acceptance has its first answer, though the day has come and the places are gone")
  func repeatedLater() async throws {
    try await RunningLending.with { lending in
      try await lending.sql(
        """
        insert into places (id, country, name, is_city, latitude, longitude, population)
        values (1, 'GB', 'Ely', true, 52.4, 0, 7), (2, 'GB', 'Mill Lane', false, 52.4, 0, 0);
        insert into place_names (country, key, place_id) values ('GB', 'ely', 1), ('GB', 'mill lane', 2)
        """)
      let loan = try await lending.request(try await lending.list())
      func place(_ number: Int) -> TandemLending.Pickup {
        TandemLending.Pickup(place: .address(Address(country: "GB", city: "Ely", address: "\(number) Mill Lane")))
      }
      // The clock begins at noon of the 15th.
      let acceptance = AcceptRequestRequest(
        loanID: loan.loanID, pickup: place(1), dueDate: .init(year: 2026, month: 1, day: 16), timeZone: "UTC",
        requestID: "019bc186-de00-7000-8080-000000000001")
      let change = ChangePickupRequest(
        loanID: loan.loanID, pickup: place(2), requestID: "019bc186-de00-7000-8080-000000000002")
      let accepted = try await lending.loans.acceptRequest(acceptance, TestUser.ada.options)
      let changed = try await lending.loans.changePickup(change, TestUser.ada.options)

      lending.clock.advance(by: .seconds(20 * 3_600))
      try await lending.sql("delete from places")

      #expect(try await lending.loans.acceptRequest(acceptance, TestUser.ada.options) == accepted)
      #expect(try await lending.loans.changePickup(change, TestUser.ada.options) == changed)
      var another = acceptance
      another.loanID = loan.bookID
      let reused = try await refusal { try await lending.loans.acceptRequest(another, TestUser.ada.options) }
      #expect(reused.reason == "REQUEST_ID_REUSED")
    }
  }

  @Test("[C-10] who blocks, or is blocked, finds no such book", arguments: [true, false])
  func blocked(ownerBlocks: Bool) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let (one, other) = ownerBlocks ? (TestUser.ada, TestUser.grace) : (.grace, .ada)
      let block = Block(of: other.id, by: one.id)
      try await lending.own.write(AddBlocks([block]))
      let refused = try await refusal { try await lending.request(book) }
      #expect(refused.code == .notFound && refused.reason == "BOOK_NOT_FOUND")
      try await lending.own.write(RemoveBlocks([block]))
      #expect(try await lending.request(book).state == .pending)
    }
  }

  @Test("[LE-2] the borrower takes a request back; the last one makes the book available")
  func withdraw() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let (mine, other) = (try await lending.request(book), try await lending.request(book, as: .alan))
      let call = WithdrawRequestRequest(loanID: mine.loanID)
      let foreign = try await refusal { try await lending.loans.withdrawRequest(call, TestUser.ada.options) }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_BORROWER")
      let stranger = try await refusal { try await lending.loans.withdrawRequest(call, TestUser.alan.options) }
      #expect(stranger.code == .notFound && stranger.reason == "LOAN_NOT_FOUND")
      let withdrawn = try await lending.loans.withdrawRequest(call, TestUser.grace.options)
      #expect(withdrawn.state == .withdrawn && withdrawn.bookStatus == .unspecified)
      #expect(try await lending.status(of: book) == "REQUESTED")
      let again = try await refusal { try await lending.loans.withdrawRequest(call, TestUser.grace.options) }
      #expect(again.code == .failedPrecondition && again.reason == "NOT_PENDING")
      _ = try await lending.loans.withdrawRequest(
        WithdrawRequestRequest(loanID: other.loanID), TestUser.alan.options)
      #expect(try await lending.status(of: book) == "AVAILABLE")
      #expect(try await lending.told(NotificationRequested.self).map(\.word) == ["requested", "requested"])
      #expect(try await lending.request(book).state == .pending, "who took it back may ask again")
    }
  }

  @Test("[LE-1] somebody asks for a book ten times within a day, and no more: its owner is told of each time")
  func often() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      func ask() async throws {
        let loan = try await lending.request(book)
        _ = try await lending.loans.withdrawRequest(WithdrawRequestRequest(loanID: loan.loanID), TestUser.grace.options)
      }
      for _ in 0..<10 { try await ask() }
      let refused = try await refusal { try await lending.request(book) }
      #expect(refused.code == .resourceExhausted && refused.reason == "ASKED_TOO_OFTEN")
      #expect(try await lending.told(NotificationRequested.self).count == 10)
      #expect(try await lending.request(try await lending.list("Emma")).state == .pending, "another book")
      #expect(try await lending.request(book, as: .alan).state == .pending, "somebody else")
      lending.clock.advance(by: .seconds(86_400))
      try await ask()
    }
  }

  @Test("[LE-1] who withdrew a hundred requests within a day makes no further one, for whatever book")
  func withdrawnOften() async throws {
    try await RunningLending.with { lending in
      func ask(_ book: ListedBook) async throws {
        let loan = try await lending.request(book)
        _ = try await lending.loans.withdrawRequest(WithdrawRequestRequest(loanID: loan.loanID), TestUser.grace.options)
      }
      for _ in 0..<10 {
        let book = try await lending.list()
        for _ in 0..<10 { try await ask(book) }
      }
      let book = try await lending.list()
      let refused = try await refusal { try await lending.request(book) }
      #expect(refused.code == .resourceExhausted && refused.reason == "ASKED_TOO_OFTEN")
      #expect(try await lending.told(NotificationRequested.self).count == 100)
      #expect(try await lending.request(book, as: .alan).state == .pending, "another user")
      lending.clock.advance(by: .seconds(86_400))
      try await ask(book)
    }
  }

  @Test("[LE-4] a declined borrower is told; with no request left the book is available")
  func decline() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let (one, two) = (try await lending.request(book), try await lending.request(book, as: .alan))
      let foreign = try await refusal {
        try await lending.loans.declineRequest(DeclineRequestRequest(loanID: one.loanID), TestUser.grace.options)
      }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")
      for (loan, status) in [(one, "REQUESTED"), (two, "AVAILABLE")] {
        let declined = try await lending.loans.declineRequest(
          DeclineRequestRequest(loanID: loan.loanID), TestUser.ada.options)
        #expect(declined.state == .declined)
        #expect(try await lending.status(of: book) == status)
      }
      let notices = try await lending.told(NotificationRequested.self).filter { $0.word == "declined" }
      #expect(notices.map(\.recipientIds) == [[TestUser.grace.id.description], [TestUser.alan.id.description]])
      #expect(try await lending.told(BookStatusChanged.self).map(\.status) == [.requested, .available])
    }
  }

  @Test("[LE-7] accepting one request declines the others, and each borrower is told")
  func accept() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let mine = try await lending.request(book)
      for number in 0..<3 { _ = try await lending.request(book, as: .one(number)) }
      let foreign = try await refusal { try await lending.accept(mine, as: .grace) }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")

      let accepted = try await lending.accept(mine)

      #expect(accepted.state == .accepted && accepted.bookStatus == .accepted)
      let states = try await lending.sql("select state, count(*)::text from loans group by 1 order by 1")
      #expect(states == [["ACCEPTED", "1"], ["DECLINED", "3"]])
      let notices = try await lending.told(NotificationRequested.self).suffix(2)
      #expect(notices.map(\.word) == ["declined", "accepted"])
      #expect(
        notices.map { Set($0.recipientIds) } == [
          Set((0..<3).map { TestUser.one($0).id.description }), [TestUser.grace.id.description],
        ])
      let change = try #require(try await lending.told(BookStatusChanged.self).last)
      #expect(change.status == .accepted && change.loanID == mine.loanID)
      #expect(change.borrowerID == TestUser.grace.id.description)
      let steps = try await lending.steps(of: book)
      #expect(
        steps.suffix(4) == Array(repeating: "DECLINE REQUESTED>REQUESTED", count: 3) + ["ACCEPT REQUESTED>ACCEPTED"])
    }
  }
}
