import Geography
import Identifiers
import LendingDomain
import Postgres

/// What a step stores with a loan, beside its state.
package struct TransitionDetails: Sendable {
  package var pickup: Pickup?
  package var due: DueDate?
  /// The party whose handover the step confirms.
  package var handedOverBy: Party?
  /// The party whose return the step confirms.
  package var returnedBy: Party?
  package var isRecall = false

  package init() {}
}

extension MoveLoan {
  /// - Parameter actor: `nil` for a user who deleted the account.
  package init(
    _ id: LoanID, _ decision: Decision, by actor: UserID?, leaving details: TransitionDetails, now: Instant
  ) {
    var (point, nearby): (GeoPoint?, NearbyPlace?) = (nil, nil)
    var (address, found): (PickupAddress?, FoundPlace?) = (nil, nil)
    switch details.pickup?.place {
    case .point(let chosen, let place): (point, nearby) = (chosen, place)
    case .address(let given, let place): (address, found) = (given, place)
    case nil: break
    }
    self.init(
      status: decision.status, waiting: Int32(decision.waiting), loanID: id, previousState: decision.previousState,
      previousStatus: decision.previousStatus, state: decision.state, now: now,
      changesPickup: details.pickup != nil, pickupLatitude: point?.latitude, pickupLongitude: point?.longitude,
      pickupCountry: address?.country, pickupCity: address?.city, pickupAddress: address?.address,
      pickupAt: details.pickup?.time, foundLatitude: found?.point.latitude, foundLongitude: found?.point.longitude,
      foundPrecisionM: found?.precision, foundExactness: found?.exactness, nearbyName: nearby?.name,
      nearbyCity: nearby?.city,
      nearbyCountry: nearby?.country, nearbyM: nearby?.distance,
      dueOn: details.due?.day, timeZone: details.due?.zone, reminderAt: details.due?.reminderAt,
      dueEndsAt: details.due?.endsAt, handedByOwnerAt: details.handedOverBy == .owner ? now : nil,
      handedByBorrowerAt: details.handedOverBy == .borrower ? now : nil,
      returnedByOwnerAt: details.returnedBy == .owner ? now : nil,
      returnedByBorrowerAt: details.returnedBy == .borrower ? now : nil,
      recalledAt: details.isRecall ? now : nil, actorID: actor, party: decision.party, step: decision.step)
  }
}

extension DeclineOthers {
  /// - Parameter decline: the step of each request that is declined.
  package init(than accepted: LoanID, for book: BookID, _ decline: Decision, by owner: UserID, now: Instant) {
    self.init(
      state: decline.state, now: now, bookID: book, acceptedID: accepted, actorID: owner, party: decline.party,
      step: decline.step, previousState: decline.previousState, previousStatus: decline.previousStatus,
      status: decline.status)
  }
}

extension DeclineAll {
  /// - Parameters:
  ///   - each: the step of each request but the last.
  ///   - last: the step of the last one, after which none is pending.
  package init(for book: BookID, _ each: Decision, last: Decision, by owner: UserID, now: Instant) {
    self.init(
      state: each.state, now: now, bookID: book, lastStatus: last.status, waiting: Int32(last.waiting), actorID: owner,
      party: each.party, step: each.step, previousState: each.previousState, previousStatus: each.previousStatus,
      status: each.status)
  }
}

extension InsertLoan {
  package init(_ id: LoanID, of book: BookID, for borrower: UserID, _ decision: Decision, now: Instant) {
    self.init(
      status: decision.status, waiting: Int32(decision.waiting), bookID: book, loanID: id, borrowerID: borrower,
      state: decision.state, now: now, party: decision.party, step: decision.step,
      previousStatus: decision.previousStatus)
  }
}

extension AskerOfBook {
  package init(_ user: UserID, of book: BookID, ownedBy owner: UserID?, now: Instant) {
    // Ids begin with their time in milliseconds (RFC 9562).
    let yesterday = UUID7(high: UInt64(max(0, (now - .seconds(86_400)).microseconds / 1_000)) << 16, low: 0)
    self.init(
      bookID: book, userID: user, counted: Int64(BookStatus.maxWaiting), since: LoanID(yesterday),
      countedWithdrawn: Int64(BookStatus.maxWithdrawn), ownerID: owner)
  }
}

extension AskerOfBook.Row {
  /// The facts for a decision.
  package func asker(_ id: UserID) -> Asker {
    Asker(
      id: id, waitsForBook: waitsForBook, waiting: Int(waiting), asked: Int(asked), withdrawn: Int(withdrawn),
      isBlocked: isBlocked)
  }
}

extension DueCalendar {
  /// The error for a zone that the database does not know.
  package static let unknownZone: SQLState = "22023"
}
