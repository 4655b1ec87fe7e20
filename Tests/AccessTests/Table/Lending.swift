extension AccessTable {
  /// Loans; `tandem.lending.v1.Loans`. Where a loan is named, the owner lends a book and the member borrows it.
  static let lending = """
    fields loan = loan_id book_id owner_id owner_username borrower_id borrower_username isbn title description state request_time update_time
    # Where the book is, while the request or loan is not over.
    fields open = book_status
    fields terms = pickup.point.latitude pickup.point.longitude due_date time_zone
    fields handover = handover.owner_time handover.borrower_time
    fields step = number book_id loan_id actor_id step state previous_status status time
    tandem.lending.v1.Loans at lending
                              nobody   stranger member   owner    blocked  revoked  service  operator
      RequestBook             token    ok       ok       own      book     session  token    token
        request {"bookId": "{book}"}
        answer  $loan $open
      WithdrawRequest         token    loan     ok       borrower loan     session  token    token
        request {"loanId": "{request}"}
        answer  $loan
      DeclineRequest          token    loan     owner    ok       loan     session  token    token
        request {"loanId": "{request}"}
        answer  $loan
      AcceptRequest           token    loan     owner    ok       loan     session  token    token
        request {"loanId": "{request}", "pickup": {"point": {"latitude": 1.3, "longitude": 103.8}}, "dueDate": {"year": 2026, "month": 2, "day": 1}, "timeZone": "UTC"}
        answer  $loan $open $terms
      ChangePickup            token    loan     owner    ok       loan     session  token    token
        request {"loanId": "{acceptedLoan}", "pickup": {"point": {"latitude": 1.4, "longitude": 103.8}}}
        answer  $loan $open $terms
      CancelLoan              token    loan     ok       ok       loan     session  token    token
        request {"loanId": "{acceptedLoan}"}
        answer  $loan $terms
      ConfirmHandover         token    loan     ok       ok       loan     session  token    token
        request {"loanId": "{acceptedLoan}", "isbn": "9780441172719"}
        answer to member: $loan $open $terms handover.borrower_time
        answer to owner: $loan $open $terms handover.owner_time
      ConfirmReturn           token    loan     ok       ok       loan     session  token    token
        request {"loanId": "{borrowedLoan}", "isbn": "9780441172719"}
        answer to member: $loan $open $terms $handover return.borrower_time borrower_declare_time
        answer to owner: $loan $open $terms $handover return.owner_time
      RecallLoan              token    loan     owner    ok       loan     session  token    token
        request {"loanId": "{borrowedLoan}"}
        answer  $loan $open $terms $handover recall_time owner_declare_time
      DeclareLoan             token    loan     owner    ok       loan     session  token    token
        request {"loanId": "{recalledLoan}", "outcome": "LOAN_OUTCOME_LOST"}
        answer  $loan $terms $handover recall_time
      HoldBook                token    book     book     ok       book     session  token    token
        request {"bookId": "{book}"}
        answer  hold_time
      ReleaseBook             token    book     book     ok       book     session  token    token
        request {"bookId": "{book}"}
        answer  nothing
      # What a scan means is each caller's own to know.
      FindScanned             token    ok       ok       ok       ok       session  token    token
        request {"isbn": "9780441172719"}
        answer  isbn options.meaning options.loan.$loan? options.loan.$open? options.loan.$terms? options.loan.$handover? options.loan.return.owner_time? options.loan.return.borrower_time? options.loan.recall_time? options.loan.owner_declare_time? options.loan.borrower_declare_time? waiting.$loan? waiting.$open? waiting.$terms? waiting.$handover? waiting.return.owner_time? waiting.return.borrower_time? waiting.recall_time? waiting.owner_declare_time? waiting.borrower_declare_time?
      ListCountries           token    ok       ok       ok       ok       session  token    token
        request {}
        answer  countries?
      ListProvinces           token    ok       ok       ok       ok       session  token    token
        request {"country": "SG"}
        answer  provinces.code? provinces.name?
      ListCities              token    ok       ok       ok       ok       session  token    token
        request {"country": "SG"}
        answer  cities.name? cities.point.latitude? cities.point.longitude? cities.province? next_page_token?
      ListLoanChanges         token    ok       ok       ok       ok       session  token    token
        before  ownRequest
        request {}
        answer  changed.$loan? changed.$open? changed.$terms? changed.$handover? changed.return.owner_time? changed.return.borrower_time? changed.recall_time? changed.owner_declare_time? changed.borrower_declare_time? next_change_token has_more?
      GetLoan                 token    loan     ok       ok       loan     session  token    token
        request {"loanId": "{borrowedLoan}"}
        answer  $loan $open $terms $handover
      ListMyRequests          token    ok       ok       ok       ok       session  token    token
        before  ownRequest
        request {"state": "LOAN_STATE_PENDING"}
        answer  loans.$loan loans.$open
      # Who asks for a book is its owner's to know, and not told to others who ask.
      ListRequests            token    book     book     ok       book     session  token    token
        request {"bookId": "{requestedBook}"}
        answer  loans.$loan loans.$open
      ListRequestedBooks      token    ok       ok       ok       ok       session  token    token
        before  foreignRequest
        request {}
        answer  books.book_id books.title books.isbn books.pending next_page_token?
      ListLentBooks           token    ok       ok       ok       ok       session  token    token
        before  lentBookOut
        request {}
        answer  loans.$loan loans.$open loans.$terms loans.$handover loans.return.owner_time? loans.return.borrower_time? loans.recall_time? loans.owner_declare_time? loans.borrower_declare_time? next_page_token?
      ListHistory             token    loan     ok       ok       loan     session  token    token
        request {"loanId": "{borrowedLoan}"}
        answer  entries.$step entries.previous_state
      # All that happened to a book is its owner's to know.
      ListHistory             token    book     book     ok       book     session  token    token
        request {"bookId": "{requestedBook}"}
        answer  entries.$step
      RetireBook              suite    service  service  service  service  service  caller   caller
        callers catalog
        request {"bookId": "{book}", "ownerId": "{ownerId}", "isbn": "9780441172719", "title": "Dune"}
        answer  retire_time
      FindBookStatuses        suite    service  service  service  service  service  caller   caller
        callers catalog
        request {"bookIds": ["{borrowedBook}"]}
        answer  statuses.book_id statuses.status statuses.borrower_id
      FindRequestedBooks      suite    service  service  service  service  service  caller   caller
        callers catalog
        request {"borrowerId": "{memberId}", "bookIds": ["{requestedBook}"]}
        answer  book_ids
      FindTown                suite    service  service  service  service  service  caller   caller
        callers catalog
        request {"name": "London"}
        answer  point.latitude? point.longitude?
      ListReturnComments      suite    service  service  service  service  service  caller   caller
        callers catalog
        request {}
        answer  comments.loan_id? comments.book_id? comments.author_id? comments.text? comments.create_time? next_page_token?

    """
}
