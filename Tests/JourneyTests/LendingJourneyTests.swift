import Identifiers
import TTRPC
import TandemCatalog
import TandemIdentity
import TandemLending
import TandemNotification
import TestSupport
import Testing

@Suite("a book's journey through identity, the catalog and lending", .timeLimit(.minutes(5)))
struct LendingJourneyTests {
  private func status(of book: Book, _ suite: ThreeServices, as owner: ThreeServices.Member) async throws -> Book {
    try await suite.books.getBook(GetBookRequest(bookID: book.bookID), owner.options)
  }

  @Test("[LE-15] [LE-10] [CA-22] [CA-27] from adding a book to its return with a comment, the catalog follows")
  func wholeJourney() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      let book = try await suite.add("Dune", as: ada)
      let loan = try await suite.request(book, as: grace)
      #expect(loan.title == "Dune" && loan.description == "Mine")
      try await until("the owner's name, which is told on its own, is there") {
        try await suite.loans.getLoan(GetLoanRequest(loanID: loan.loanID), grace.options).ownerUsername == "ada"
      }
      try await follows(.requested, book, suite, ada)

      let accept = AcceptRequestRequest(loanID: loan.loanID, pickup: ThreeServices.place)
      _ = try await suite.loans.acceptRequest(accept, ada.options)
      try await follows(.accepted, book, suite, ada)
      for member in [ada, grace] {
        _ = try await suite.loans.confirmHandover(
          ConfirmHandoverRequest(loanID: loan.loanID, isbn: "0-441-17271-7"), member.options)
      }
      try await follows(.borrowed, book, suite, ada)
      let mine = try await suite.books.listMyBooks(ListMyBooksRequest(), ada.options).books
      #expect(mine.map(\.borrowerUsername) == ["grace"])
      let unavailable = try await suite.books.searchBooks(
        SearchBooksRequest(query: "dune", scope: .unavailable), grace.options)
      #expect(unavailable.books.map(\.bookID) == [book.bookID])

      for (member, comment) in [(grace, "Sand everywhere."), (ada, ""), (grace, "Said twice")] {
        _ = try await suite.loans.confirmReturn(
          ConfirmReturnRequest(loanID: loan.loanID, isbn: "9780441172719", comment: comment), member.options)
      }
      try await follows(.available, book, suite, ada)
      let comments = try await eventually("the comment is there") {
        let found = try await suite.books.listComments(ListCommentsRequest(bookID: book.bookID), ada.options).comments
        return found.isEmpty ? nil : found
      }
      #expect(comments.map(\.text) == ["Sand everywhere."] && comments.first?.authorUsername == "grace")
      #expect(try await eventually { try await suite.inbox(of: ada).count == 3 })
      #expect(try await eventually { try await suite.inbox(of: grace).count == 1 })
      #expect(
        Set(try await suite.inbox(of: ada)) == [
          "Somebody wants to borrow Dune", "Is Dune back?", "New badge: First book lent",
        ])
      #expect(try await suite.inbox(of: grace) == ["You may borrow Dune"])
    }
  }

  private func follows(
    _ expected: TandemCatalog.BookStatus, _ book: Book, _ suite: ThreeServices, _ owner: ThreeServices.Member
  ) async throws {
    let followed = try await eventually { try await status(of: book, suite, as: owner).status == expected }
    #expect(followed, "the catalog does not show \(expected)")
  }

  @Test("[CA-28] what somebody has asked for already is recommended to others and not to them")
  func recommended() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace, alan) = (
        try await suite.join("ada"), try await suite.join("grace"), try await suite.join("alan")
      )
      let book = try await suite.add("Dune", as: ada)
      for reader in [grace, alan] { try await suite.hasRead("9780441172696", whoseReadersRead: book.isbn, reader) }
      func recommended(_ reader: ThreeServices.Member) async throws -> [String?] {
        let answer = try await suite.books.recommendBooks(RecommendBooksRequest(), reader.options)
        return answer.recommendations.map { $0.book?.bookID }
      }
      #expect(try await recommended(grace) == [book.bookID])
      try await eventually("lending accepts the token") {
        do {
          return try await suite.loans.requestBook(RequestBookRequest(bookID: book.bookID), grace.options)
        } catch let status as Status where status.code == .unavailable { return nil }
      }
      #expect(try await eventually { try await recommended(grace).isEmpty })
      #expect(try await eventually { try await recommended(alan) == [book.bookID] })
    }
  }

  @Test("[LE-14] [ID-60] who cancels a loan has the other one told, once, though the news comes twice")
  func cancellation() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      for (title, canceller) in [("One", grace), ("Two", ada)] {
        let loan = try await suite.request(try await suite.add(title, as: ada), as: grace)
        let accept = AcceptRequestRequest(loanID: loan.loanID, pickup: ThreeServices.place)
        _ = try await suite.loans.acceptRequest(accept, ada.options)
        _ = try await suite.loans.cancelLoan(CancelLoanRequest(loanID: loan.loanID), canceller.options)
      }
      try await suite.sql(
        """
        insert into lending.events (topic, key, type, payload, occurred_at)
        select topic, key, type, payload, occurred_at from lending.events where topic = 'notifications'
        """)
      _ = try await suite.request(try await suite.add("Three", as: ada), as: grace)

      let last = "Somebody wants to borrow Three"
      #expect(try await eventually { try await suite.inbox(of: ada).contains(last) })
      #expect(
        try await suite.inbox(of: ada) == [
          "Somebody wants to borrow One", "The loan of One was cancelled", "Somebody wants to borrow Two", last,
        ])
      #expect(
        try await suite.inbox(of: grace) == [
          "You may borrow One", "You may borrow Two", "The loan of Two was cancelled",
        ])
    }
  }

  @Test(
    "[LE-8] [ID-60] a borrower reads in the inbox that the pickup place has changed, once for each change, and the owner does not"
  )
  func changedPickup() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      let loan = try await suite.request(try await suite.add("Dune", as: ada), as: grace)
      _ = try await suite.loans.acceptRequest(
        AcceptRequestRequest(loanID: loan.loanID, pickup: ThreeServices.place), ada.options)
      for longitude in [13.4, 13.5, 13.5] {
        let place = Pickup(place: .point(Point(latitude: 52.5, longitude: longitude)))
        let changed = try await suite.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: place), ada.options)
        #expect(changed.pickup == place)
      }
      // Told after the changes, and in their order.
      _ = try await suite.loans.cancelLoan(CancelLoanRequest(loanID: loan.loanID), ada.options)

      let last = "The loan of Dune was cancelled"
      #expect(try await eventually { try await suite.inbox(of: grace).last == last })
      let change = "You get Dune at another place"
      #expect(try await suite.inbox(of: grace) == ["You may borrow Dune", change, change, last])
      let notices = try await suite.notifications.listNotifications(ListNotificationsRequest(), grace.options)
      #expect(notices.notifications.filter { $0.title == change }.allSatisfy { $0.kind == .pickupChanged })
      #expect(
        notices.notifications.filter { $0.title == change }.map(\.body)
          == Array(repeating: "ada changed the place where you get Dune.", count: 2))
      #expect(try await suite.inbox(of: ada) == ["Somebody wants to borrow Dune"])
    }
  }

  @Test("[CA-24] lending decides whether a book is deleted, whatever the catalog has heard")
  func deletion() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      let book = try await suite.add("Dune", as: ada)
      let loan = try await suite.request(book, as: grace)
      let delete = DeleteBookRequest(bookID: book.bookID)
      let refused = try await refusal { try await suite.books.deleteBook(delete, ada.options) }
      #expect(refused.code == .failedPrecondition && refused.reason == "BOOK_NOT_AVAILABLE")
      #expect(refused.message == "Deleting is not permitted until its status is available")
      #expect(try await suite.value("select count(*) from catalog.jobs") == "0", "nothing is left to be done")

      _ = try await suite.loans.withdrawRequest(WithdrawRequestRequest(loanID: loan.loanID), grace.options)
      // The catalog may not have received the event, and need not have.
      _ = try await suite.books.deleteBook(delete, ada.options)
      let gone = try await refusal { try await suite.books.getBook(GetBookRequest(bookID: book.bookID), ada.options) }
      #expect(gone.reason == "BOOK_NOT_FOUND")
      let late = try await refusal {
        try await suite.loans.requestBook(RequestBookRequest(bookID: book.bookID), grace.options)
      }
      #expect(late.reason == "BOOK_NOT_FOUND")
      #expect(try await suite.value("select count(*) from catalog.jobs") == "0")
    }
  }

  @Test("[CA-24] of deletions and requests that race, 64 in all, one side wins, in both services")
  func deletionRace() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      for round in 0..<4 {
        let book = try await suite.add("Dune \(round)", as: ada)
        _ = try await eventually("lending accepts the token") {
          do {
            return try await suite.loans.listMyRequests(ListMyRequestsRequest(), grace.options)
          } catch let status as Status where status.code == .unavailable { return nil }
        }
        let outcomes = await withTaskGroup(of: String.self) { group in
          for number in 0..<64 {
            group.addTask {
              do {
                if number.isMultiple(of: 2) {
                  _ = try await suite.books.deleteBook(DeleteBookRequest(bookID: book.bookID), ada.options)
                  return "deleted"
                }
                _ = try await suite.loans.requestBook(RequestBookRequest(bookID: book.bookID), grace.options)
                return "requested"
              } catch { return (error as? Status)?.reason ?? "\(error)" }
            }
          }
          return await group.reduce(into: [String]()) { $0.append($1) }
        }
        let won = outcomes.filter { $0 == "deleted" || $0 == "requested" }
        #expect(Set(won).count <= 1 && won.count <= 1, "\(Set(outcomes))")
        // If the caller got no response in time, a job completes the deletion.
        let row = try await eventually("the book is deleted, or asked for") {
          let row =
            try await suite.sql(
              """
              select (deleted_at is not null)::text, (select status from lending.books as lent where lent.id = books.id),
                (select (retired_at is not null)::text from lending.books as lent where lent.id = books.id)
              from catalog.books where id = '\(book.bookID)'
              """
            ).first ?? []
          return row == ["true", "AVAILABLE", "true"] || row == ["false", "REQUESTED", "false"] ? row : nil
        }
        if let winner = won.first { #expect(winner == (row.first == "true" ? "deleted" : "requested")) }
      }
    }
  }

  @Test("[CA-24] a deletion that was interrupted behind lending's answer is completed by itself")
  func interruptedDeletion() async throws {
    try await ThreeServices.with { suite in
      let ada = try await suite.join("ada")
      let book = try await suite.add("Dune", as: ada)
      // What a process leaves behind that ends between the two: a job that is due by now, and a book that lending has retired.
      try await suite.sql(
        """
        insert into catalog.jobs (id, kind, key, payload, created_at, due_at, ready_at)
        values ('019bc186-de00-7000-8080-000000000000', 'book_deletion', '\(book.bookID)', '\(book.bookID)', now(), now(), now())
        """)
      let isGone = try await eventually {
        try await suite.value("select count(*) from catalog.books where deleted_at is not null") == "1"
      }
      #expect(isGone)
      #expect(try await suite.value("select count(*) from lending.books where retired_at is not null") == "1")
    }
  }

  @Test("[C-10] who is blocked cannot ask for a book, and what waits is closed")
  func blocked() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      let (one, other) = (try await suite.add("One", as: ada), try await suite.add("Other", as: ada))
      _ = try await suite.request(one, as: grace)
      _ = try await suite.safety.blockUser(BlockUserRequest(userID: grace.id), ada.options)
      let closed = try await eventually {
        try await suite.value("select status from lending.books where id = '\(one.bookID)'") == "AVAILABLE"
      }
      #expect(closed)
      let refused = try await refusal {
        try await suite.loans.requestBook(RequestBookRequest(bookID: other.bookID), grace.options)
      }
      #expect(refused.code == .notFound && refused.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test(
    "[C-4] a repeated request for a book has its first answer, though its owner has left and the catalog has it no more"
  )
  func repeatedAfterDeparture() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      let book = try await suite.add("Dune", as: ada)
      let call = RequestBookRequest(bookID: book.bookID, requestID: "019bc186-de00-7000-8080-000000000001")
      let first = try await eventually("lending accepts the token") {
        do { return try await suite.loans.requestBook(call, grace.options) } catch let status as Status
          where status.code == .unavailable
        { return nil }
      }
      _ = try await suite.accounts.deleteAccount(
        DeleteAccountRequest(password: ThreeServices.password), ada.options)
      let forgotten = try await eventually {
        let books = try await suite.value("select count(*) from catalog.books")
        return try await suite.value("select count(*) from lending.books where owner_id is null") == "1" && books == "0"
      }
      #expect(forgotten)
      #expect(try await suite.loans.requestBook(call, grace.options) == first)
    }
  }

  @Test("[C-9] an account that is deleted leaves nothing open, and no borrowed book vanishes for who has it")
  func departure() async throws {
    try await ThreeServices.with { suite in
      let (ada, grace) = (try await suite.join("ada"), try await suite.join("grace"))
      let book = try await suite.add("Dune", as: ada)
      let loan = try await suite.request(book, as: grace)
      _ = try await suite.loans.acceptRequest(
        AcceptRequestRequest(loanID: loan.loanID, pickup: ThreeServices.place), ada.options)
      for member in [ada, grace] {
        _ = try await suite.loans.confirmHandover(
          ConfirmHandoverRequest(loanID: loan.loanID, isbn: "9780441172719"), member.options)
      }
      _ = try await suite.accounts.deleteAccount(
        DeleteAccountRequest(password: ThreeServices.password), ada.options)
      let forgotten = try await eventually {
        try await suite.value("select count(*) from lending.books where owner_id is null") == "1"
      }
      #expect(forgotten)
      let mine = try await suite.loans.listMyRequests(ListMyRequestsRequest(state: .borrowed), grace.options).loans
      #expect(mine.map(\.title) == ["Dune"] && mine.first?.ownerUsername == "")
      let back = try await suite.loans.confirmReturn(
        ConfirmReturnRequest(loanID: loan.loanID, isbn: "9780441172719"), grace.options)
      #expect(back.state == .returned)
    }
  }
}

extension ThreeServices {
  /// Stores that a user borrowed a book whose readers also read another one.
  fileprivate func hasRead(_ isbn: String, whoseReadersRead other: String, _ reader: Member) async throws {
    try await sql(
      """
      insert into catalog.users (id) values ('\(reader.id)') on conflict do nothing;
      insert into catalog.past_loans (loan_id, borrower_id, isbn, title, borrowed_at)
      values (gen_random_uuid(), '\(reader.id)', \(isbn), 'Dune Messiah', now());
      insert into catalog.book_neighbours (isbn, readers, neighbours, weights)
      values (\(isbn), 2, array[\(other)::bigint], array[0.5::real]) on conflict do nothing
      """)
  }
}
