import FileLoading
import Foundation
import LendingLoading
import LendingStore
import LoopExecutor
import Postgres
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("where the borrower gets a book")
struct PickupTests {
  @Test("[LE-8] an address of the gazetteer is taken, one outside its city is not, and the borrower reads it")
  func addresses() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.loadPlaces()
      let loan = try await lending.request(try await lending.list())
      let elsewhere = try await refusal {
        try await lending.accept(loan, at: .at("GB", "London", "3 King's Parade"))
      }
      #expect(elsewhere.code == .invalidArgument && elsewhere.reason == "ADDRESS_NOT_IN_CITY")
      #expect(elsewhere.fields == ["pickup.address.address"])
      let invented = try await refusal { try await lending.accept(loan, at: .at("GB", "London", "Diagon Alley")) }
      #expect(invented.reason == "ADDRESS_NOT_IN_CITY")
      let accepted = try await lending.accept(loan, at: .at("GB", "Londres", "  96 Euston   Road, 2nd floor"))
      #expect(accepted.pickup?.place == TandemLending.Pickup.at("GB", "Londres", "96 Euston Road, 2nd floor").place)
      let seen = try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), TestUser.grace.options)
      #expect(seen.pickup == accepted.pickup)
    }
  }

  @Test("[LE-8] every field at fault is named at once")
  func badFields() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.loadPlaces()
      let loan = try await lending.request(try await lending.list())
      let cases: [(TandemLending.Pickup?, [String])] = [
        (TandemLending.Pickup(), ["PICKUP_REQUIRED"]),
        (TandemLending.Pickup(place: .point(Point(latitude: 91, longitude: 0))), ["POINT_INVALID"]),
        (.at("uk", "", " "), ["COUNTRY_UNKNOWN", "CITY_UNKNOWN", "ADDRESS_REQUIRED"]),
        (.at("GB", "Berlin", "Friedrichstr. 1"), ["CITY_UNKNOWN"]),
        (.at("GB", "London", String(repeating: "x", count: 201)), ["ADDRESS_INVALID"]),
      ]
      for (pickup, reasons) in cases {
        let refused = try await refusal { try await lending.accept(loan, at: pickup) }
        #expect(refused.code == .invalidArgument && refused.fieldReasons == reasons, "\(String(describing: pickup))")
      }
    }
  }

  @Test("[LE-8] [C-2] a country that there is not is the country's fault, and everything else is judged with it")
  func countries() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.loadPlaces()
      let loan = try await lending.request(try await lending.list())
      let nowhere = try await refusal { try await lending.accept(loan, at: .at("ZZ", "London", "Euston Road")) }
      #expect(nowhere.fieldReasons == ["COUNTRY_UNKNOWN"])
      let notLoaded = try await refusal { try await lending.accept(loan, at: .at("FR", "Paris", "Rue de Rivoli")) }
      #expect(notLoaded.fieldReasons == ["CITY_UNKNOWN"])
      let several = try await refusal { try await lending.accept(loan, at: .at("GB", "Berlin", " ")) }
      #expect(several.fieldReasons == ["CITY_UNKNOWN", "ADDRESS_REQUIRED"])
    }
  }

  @Test("[LE-8] a borrower is notified of each change of the place, and not of one that changes nothing")
  func changeIsTold() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.accept(try await lending.request(try await lending.list()))
      for longitude in [103.8, 103.9, 103.9] {
        lending.clock.advance(by: .seconds(1))
        let place = TandemLending.Pickup(place: .point(Point(latitude: 1.3, longitude: longitude)))
        _ = try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: place), TestUser.ada.options)
      }
      let told = try await lending.told(NotificationRequested.self).filter {
        !["requested", "accepted"].contains($0.word)
      }
      #expect(told.map(\.recipientIds) == Array(repeating: [TestUser.grace.id.description], count: 2))
      #expect(Set(told.map(\.notificationKey)).count == 2)
    }
  }

  @Test("[LE-8] an owner changes the place twenty times within a day, and no more: the borrower is notified of each")
  func changesAreLimited() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.accept(try await lending.request(try await lending.list()))
      func change(_ longitude: Int) async throws -> Loan {
        lending.clock.advance(by: .milliseconds(1))
        let place = TandemLending.Pickup(place: .point(Point(latitude: 1, longitude: Double(longitude))))
        return try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: place), TestUser.ada.options)
      }
      for longitude in 1...20 { _ = try await change(longitude) }
      let refused = try await refusal { try await change(21) }
      #expect(refused.code == .resourceExhausted && refused.reason == "PICKUP_CHANGED_TOO_OFTEN")
      #expect(refused.retryAfter != nil)
      #expect(try await change(20).pickup == .init(place: .point(Point(latitude: 1, longitude: 20))), "no change")
      #expect(try await lending.told(NotificationRequested.self).filter { $0.word == "moved" }.count == 20)
      lending.clock.advance(by: .seconds(86_400))
      _ = try await change(21)
    }
  }

  @Test("[LE-8] the owner changes the place until the handover, and nobody else does")
  func change() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.request(book)
      let other = TandemLending.Pickup(place: .point(Point(latitude: 1.3, longitude: 103.8)))
      let call = ChangePickupRequest(loanID: loan.loanID, pickup: other)
      let early = try await refusal { try await lending.loans.changePickup(call, TestUser.ada.options) }
      #expect(early.reason == "NOT_ACCEPTED")
      _ = try await lending.accept(loan)
      let foreign = try await refusal { try await lending.loans.changePickup(call, TestUser.grace.options) }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")
      #expect(try await lending.loans.changePickup(call, TestUser.ada.options).pickup == other)
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      let late = try await refusal { try await lending.loans.changePickup(call, TestUser.ada.options) }
      #expect(late.reason == "NOT_ACCEPTED")
    }
  }

  @Test("[LE-8] an acceptance may leave the place for later; the borrower is told when it comes")
  func later() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      #expect(try await lending.accept(loan, at: nil).pickup == nil)
      let missing = try await refusal {
        try await lending.loans.changePickup(ChangePickupRequest(loanID: loan.loanID), TestUser.ada.options)
      }
      #expect(missing.fieldReasons == ["PICKUP_REQUIRED"])
      for longitude in [103.8, 103.9] {
        lending.clock.advance(by: .seconds(1))
        let place = TandemLending.Pickup(place: .point(Point(latitude: 1.3, longitude: longitude)))
        _ = try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: place), TestUser.ada.options)
      }
      let told = try await lending.told(NotificationRequested.self)
      #expect(told.map(\.word) == ["requested", "accepted", "named", "moved"])
      #expect(Set(told.map(\.subject)) == ["loans/\(loan.loanID)"], "[LE-17]")
    }
  }

  @Test("[LE-8] a pickup may have a time, in the future and within a year; another time is another pickup")
  func time() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      let now = lending.clock.now.wholeSeconds
      func place(_ seconds: Int64) -> TandemLending.Pickup {
        var pickup = RunningLending.place
        pickup.time = .init(seconds: seconds)
        return pickup
      }
      for bad in [now, now - 1, now + 367 * 86_400, .max] {
        let refused = try await refusal { try await lending.accept(loan, at: place(bad)) }
        #expect(refused.fieldReasons == ["PICKUP_TIME_INVALID"] && refused.fields == ["pickup.time"], "\(bad)")
      }
      #expect(try await lending.accept(loan, at: place(now + 3_600)).pickup?.time?.seconds == now + 3_600)
      let moved = try await lending.loans.changePickup(
        ChangePickupRequest(loanID: loan.loanID, pickup: place(now + 7_200)), TestUser.ada.options)
      #expect(moved.pickup?.time?.seconds == now + 7_200)
      #expect(try await lending.told(NotificationRequested.self).last?.word == "moved")
    }
  }
}
