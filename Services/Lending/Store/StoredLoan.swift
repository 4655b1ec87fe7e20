import Geography
import Identifiers
import LendingDomain
import Postgres

/// A stored request or loan.
package struct StoredLoan: Sendable {
  package let id: LoanID
  package let bookID: BookID
  package let ownerID: UserID?
  /// The owner's username at the time of the request, or the present one if it was unknown then. Empty until identity has reported it.
  package let ownerUsername: String
  package let borrowerID: UserID?
  /// Empty until identity has reported it.
  package let borrowerUsername: String
  package let isbn: ISBN
  package let title: String
  package let description: String
  package let state: LoanState
  package let bookStatus: BookStatus
  package let pickup: Pickup?
  package let due: DueDate?
  package let handover: StoredConfirmations
  package let giveBack: StoredConfirmations
  package let recalledAt: Instant?
  package let comment: String?
  package let requestedAt: Instant
  package let updatedAt: Instant

  /// The columns of rows `loan` and `book`, joined by ``usernames``, that ``decode(_:)`` reads.
  static let columns = """
    loan.id, loan.book_id, loan.owner_id, coalesce(nullif(loan.owner_username, ''), owner.username, ''),
    loan.borrower_id, coalesce(borrower.username, ''),
    book.isbn, loan.title, loan.description, loan.state, book.status,
    loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address,
    loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
    loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
    loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at
    """

  /// Selects the columns of all loans; a condition on `loan` may follow.
  static let selection = """
    select \(columns) from loans as loan join books as book on book.id = loan.book_id \(usernames)
    """

  /// Joins the usernames of owner and borrower to a row `loan`.
  static let usernames = """
    left join people as owner on owner.id = loan.owner_id
    left join people as borrower on borrower.id = loan.borrower_id
    """

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredLoan {
    StoredLoan(
      id: try row.next(), bookID: try row.next(), ownerID: try row.next(), ownerUsername: try row.next(),
      borrowerID: try row.next(), borrowerUsername: try row.next(), isbn: ISBN(stored: try row.next()),
      title: try row.next(), description: try row.next(), state: try LoanState(column: try row.next()),
      bookStatus: try BookStatus(column: try row.next()), pickup: try pickup(row), due: try due(row),
      handover: StoredConfirmations(ownerAt: try row.next(), borrowerAt: try row.next()),
      giveBack: StoredConfirmations(ownerAt: try row.next(), borrowerAt: try row.next()),
      recalledAt: try row.next(), comment: try row.next(), requestedAt: try row.next(), updatedAt: try row.next())
  }

  private static func pickup(_ row: borrowing RowReader) throws(ColumnError) -> Pickup? {
    let (latitude, longitude): (Double?, Double?) = (try row.next(), try row.next())
    let (country, city, address): (String?, String?, String?) = (try row.next(), try row.next(), try row.next())
    if let latitude, let longitude {
      return GeoPoint(latitude: latitude, longitude: longitude).map { .point($0) }
    }
    guard let country, let city, let address else { return nil }
    return .address(PickupAddress(country: country, city: city, address: address))
  }

  private static func due(_ row: borrowing RowReader) throws(ColumnError) -> DueDate? {
    let (day, zone): (CivilDate?, String?) = (try row.next(), try row.next())
    let (reminderAt, endsAt): (Instant?, Instant?) = (try row.next(), try row.next())
    guard let day, let zone, let reminderAt, let endsAt else { return nil }
    return DueDate(day: day, zone: zone, reminderAt: reminderAt, endsAt: endsAt)
  }

  /// The facts for a decision.
  package var facts: LoanFacts {
    LoanFacts(
      ownerID: ownerID, borrowerID: borrowerID, state: state, handover: handover.parties, giveBack: giveBack.parties,
      isRecalled: recalledAt != nil)
  }
}

/// Which parties confirmed a handover or return, and when.
package struct StoredConfirmations: Sendable, Hashable {
  package let ownerAt: Instant?
  package let borrowerAt: Instant?

  var parties: Set<Party> {
    var parties: Set<Party> = []
    if ownerAt != nil { parties.insert(.owner) }
    if borrowerAt != nil { parties.insert(.borrower) }
    return parties
  }
}
