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

  init(_ columns: LoanColumns) {
    id = columns.id
    bookID = columns.bookID
    ownerID = columns.ownerID
    ownerUsername = columns.ownerUsername
    borrowerID = columns.borrowerID
    borrowerUsername = columns.borrowerUsername
    isbn = columns.isbn
    title = columns.title
    description = columns.description
    state = columns.state
    bookStatus = columns.bookStatus
    pickup = Self.pickup(columns)
    due = Self.due(columns)
    handover = StoredConfirmations(ownerAt: columns.handedByOwnerAt, borrowerAt: columns.handedByBorrowerAt)
    giveBack = StoredConfirmations(ownerAt: columns.returnedByOwnerAt, borrowerAt: columns.returnedByBorrowerAt)
    recalledAt = columns.recalledAt
    comment = columns.comment
    requestedAt = columns.requestedAt
    updatedAt = columns.updatedAt
  }

  private static func pickup(_ columns: LoanColumns) -> Pickup? {
    place(columns).map { Pickup($0, at: columns.pickupAt) }
  }

  private static func place(_ columns: LoanColumns) -> PickupPlace? {
    if let latitude = columns.pickupLatitude, let longitude = columns.pickupLongitude {
      return GeoPoint(latitude: latitude, longitude: longitude).map { .point($0, nearby(columns)) }
    }
    guard let country = columns.pickupCountry, let city = columns.pickupCity, let address = columns.pickupAddress else {
      return nil
    }
    return .address(PickupAddress(country: country, city: city, address: address), found(columns))
  }

  private static func found(_ columns: LoanColumns) -> FoundPlace? {
    guard let latitude = columns.foundLatitude, let longitude = columns.foundLongitude,
      let precision = columns.foundPrecisionM
    else { return nil }
    return GeoPoint(latitude: latitude, longitude: longitude).map {
      FoundPlace($0, precision: precision, columns.foundExactness)
    }
  }

  private static func nearby(_ columns: LoanColumns) -> NearbyPlace? {
    guard let name = columns.nearbyName, let city = columns.nearbyCity, let country = columns.nearbyCountry,
      let distance = columns.nearbyM
    else { return nil }
    return NearbyPlace(name: name, city: city, country: country, distance: distance)
  }

  private static func due(_ columns: LoanColumns) -> DueDate? {
    guard let day = columns.dueOn, let zone = columns.timeZone, let reminderAt = columns.reminderAt,
      let endsAt = columns.dueEndsAt
    else { return nil }
    return DueDate(day: day, zone: zone, reminderAt: reminderAt, endsAt: endsAt)
  }

  /// The facts for a decision.
  package var facts: LoanFacts {
    LoanFacts(
      ownerID: ownerID, borrowerID: borrowerID, state: state, handover: handover.parties, giveBack: giveBack.parties,
      declarations: Declarations(recalledAt: recalledAt, returnedByBorrowerAt: giveBack.borrowerAt))
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
