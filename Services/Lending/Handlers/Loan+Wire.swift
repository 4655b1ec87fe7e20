import Geography
import GoogleType
import Identifiers
import LendingDomain
import LendingStore
import TandemLending
import Timestamps

extension Loan {
  /// The loan as both parties see it.
  init(_ stored: StoredLoan, at now: Instant, declarationWait: Duration) {
    self.init(
      loanID: stored.id.description, bookID: stored.bookID.description, ownerID: stored.ownerID?.description ?? "",
      ownerUsername: stored.ownerUsername, borrowerID: stored.borrowerID?.description ?? "",
      borrowerUsername: stored.borrowerUsername, isbn: stored.isbn.description, title: stored.title,
      description: stored.description, state: stored.state.wire, pickup: stored.pickup?.wire)
    if let due = stored.due {
      dueDate = due.day.wire
      timeZone = due.zone
      overdue = stored.state == .borrowed && now >= due.endsAt
    }
    recallTime = stored.recalledAt?.timestamp
    handover = stored.handover.wire
    self.return = stored.giveBack.wire
    bookStatus = stored.state.isOver ? .unspecified : stored.bookStatus.wire
    requestTime = stored.requestedAt.timestamp
    updateTime = stored.updatedAt.timestamp
    if stored.state == .borrowed {
      let declarations = stored.facts.declarations
      ownerDeclareTime = declarations.earliest(for: .owner, after: declarationWait)?.timestamp
      borrowerDeclareTime = declarations.earliest(for: .borrower, after: declarationWait)?.timestamp
    }
  }
}

extension LoanState {
  /// Whether no further step is possible: the parties do not see the book's later status.
  fileprivate var isOver: Bool { Step.allCases.allSatisfy { after($0) == nil } }
}

extension StoredConfirmations {
  fileprivate var wire: Confirmations? {
    guard ownerAt != nil || borrowerAt != nil else { return nil }
    return Confirmations(ownerTime: ownerAt?.timestamp, borrowerTime: borrowerAt?.timestamp)
  }
}

extension Pickup {
  var wire: TandemLending.Pickup {
    switch place {
    case .point(let point, let nearby):
      TandemLending.Pickup(place: .point(point.wire), time: time?.timestamp, nearby: nearby?.wire)
    case .address(let it, let found):
      TandemLending.Pickup(
        place: .address(Address(country: it.country, city: it.city, address: it.address)), time: time?.timestamp,
        found: found?.wire)
    }
  }
}

extension GeoPoint {
  var wire: Point { Point(latitude: latitude, longitude: longitude) }
}

extension LendingDomain.FoundPlace {
  fileprivate var wire: TandemLending.FoundPlace {
    TandemLending.FoundPlace(point: point.wire, precisionM: precision, precision: exactness?.wire ?? .unspecified)
  }
}

extension LendingDomain.NearbyPlace {
  fileprivate var wire: TandemLending.NearbyPlace {
    TandemLending.NearbyPlace(name: name, city: city, country: country, distanceM: distance)
  }
}

extension CivilDate {
  fileprivate var wire: GoogleType.Date {
    GoogleType.Date(year: Int32(year), month: Int32(month), day: Int32(day))
  }
}

extension TandemLending.HistoryEntry {
  init(_ stored: LendingStore.HistoryEntry) {
    self.init(
      number: stored.number, bookID: stored.bookID.description, loanID: stored.loanID.description,
      actorID: stored.actorID?.description ?? "", step: stored.step.wire,
      previousState: stored.previousState?.wire ?? .unspecified, state: stored.state.wire,
      previousStatus: stored.previousStatus.wire, status: stored.status.wire, time: stored.happenedAt.timestamp)
  }
}

extension TandemLending.RequestedBook {
  init(_ stored: RequestedBooks.Row) {
    self.init(
      bookID: stored.bookID.description, title: stored.title, isbn: stored.isbn.description, pending: stored.waiting)
  }
}
