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

@Suite("what is known of places where books are picked up")
struct GazetteerTests {
  @Test("[LE-8] 31 item 5: where no places are loaded an unknown city is said to be unknown for that")
  func noPlaces() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      func message() async throws -> String {
        let refused = try await refusal { try await lending.accept(loan, at: .at("FR", "Paris", "Rue de Rivoli")) }
        #expect(refused.fieldReasons == ["CITY_UNKNOWN"])
        return refused.badRequest?.fieldViolations.map(\.description).joined() ?? ""
      }
      #expect(try await message() == "No places are loaded here, so that every address is unknown")
      _ = try await lending.loadPlaces()
      #expect(try await message() == "No city of that name is known there")
    }
  }

  @Test(
    "[LE-8] streets may be abbreviated as people do, and countries written in small letters",
    arguments: [
      ("DE", "Berlin", "Friedrichstr. 101"), ("de", "Berlin", "Friedrichstr 101"), ("sg", "Singapore", "12 Orchard Rd"),
      ("GB", "London", "Euston Rd. 96"), ("ca", "Edmonton", "Whyte Ave"),
      ("DE", "Berlin", "Str. der Pariser Kommune 8"),
    ])
  func abbreviations(country: String, city: String, street: String) async throws {
    try await RunningLending.with { lending in
      _ = try await lending.loadPlaces()
      let loan = try await lending.request(try await lending.list())
      let accepted = try await lending.accept(loan, at: .at(country, city, street))
      #expect(accepted.pickup?.place == TandemLending.Pickup.at(country.uppercased(), city, street).place)
    }
  }

  @Test(
    "[LE-8] of several words that may be abbreviations each is one or is not",
    arguments: ["12 St Thomas Rd", "St. Thomas Road", "Saint Thomas, 12 St Thomas Rd., 3rd floor", "12 St Thomas St"])
  func someAbbreviations(street: String) async throws {
    try await RunningLending.with { lending in
      let lines = [
        GeoNames.line("1", "Ely", "52.4"), GeoNames.line("2", "St Thomas Road", "52.4", "R\tST"),
        GeoNames.line("3", "St Thomas Street", "52.4", "R\tST"),
      ]
      _ = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      let loan = try await lending.request(try await lending.list())
      #expect(try await lending.accept(loan, at: .at("GB", "Ely", street)).state == .accepted)
    }
  }

  @Test("[LE-8] an address keeps the position that the gazetteer found, and how precise it is")
  func position() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.loadPlaces()
      let loan = try await lending.request(try await lending.list())
      let accepted = try await lending.accept(loan, at: .at("GB", "London", "British Library, 96 Euston Road"))
      let found = try #require(accepted.pickup?.found)
      // The library, whose name is longer than the road's.
      #expect(found.point == Point(latitude: 51.52995, longitude: -0.12768) && found.precisionM == 100)
      #expect(found.precision == .building)
      // A point instead has no such position.
      let changed = try await lending.loans.changePickup(
        ChangePickupRequest(loanID: loan.loanID, pickup: RunningLending.place), TestUser.ada.options)
      #expect(changed.pickup?.found == nil)
    }
  }

  @Test("[LE-8] 31 item 5: the precision is said: building, street, quarter; and city where no streets are loaded")
  func precisions() async throws {
    try await RunningLending.with { lending in
      let lines = [
        GeoNames.line("1", "Ely", "52.4", people: 20_000), GeoNames.line("2", "High Street", "52.401", "R\tST"),
        GeoNames.line("3", "Ely Library", "52.402", "S\tLIBR"), GeoNames.line("4", "Riverside", "52.403", "P\tPPLX"),
        GeoNames.line("5", "Jubilee Gardens", "52.404", "L\tPRK"), GeoNames.line("6", "Wells", "51.2", people: 12_000),
        GeoNames.line("7", "Ely", "58", people: 100),
      ]
      _ = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      let loan = try await lending.accept(try await lending.request(try await lending.list()))
      func found(_ city: String, _ street: String) async throws -> FoundPlace? {
        try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: TandemLending.Pickup.at("GB", city, street)),
          TestUser.ada.options
        ).pickup?.found
      }
      let cases: [(String, PlacePrecision, Int32)] = [
        ("Library, 3 High Street", .street, 1_000), ("Ely Library, High Street", .building, 100),
        ("Riverside 7", .quarter, 1_500), ("Jubilee Gardens", .quarter, 2_000),
      ]
      for (street, precision, metres) in cases {
        let place = try await found("Ely", street)
        #expect(place?.precision == precision && place?.precisionM == metres, "\(street)")
      }
      let invented = try await refusal { try await found("Ely", "Diagon Alley") }
      #expect(invented.reason == "ADDRESS_NOT_IN_CITY", "the streets of one Ely are known")
      let centre = try await found("Wells", "7 Vicars' Close")
      #expect(centre?.precision == .city && centre?.point == Point(latitude: 51.2, longitude: 0))
      #expect(centre?.precisionM == 3_000)
      let seen = try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), TestUser.grace.options)
      #expect(seen.pickup?.found == centre, "the borrower is told how little is known")
      #expect(seen.pickup?.place == TandemLending.Pickup.at("GB", "Wells", "7 Vicars' Close").place)
    }
  }

  @Test("[LE-8] a postcode places an address whose street is not known, in its city alone, and the precision says so")
  func postcodes() async throws {
    try await RunningLending.with { lending in
      let lines = [
        GeoNames.line("1", "Ely", "52.4", people: 20_000), GeoNames.line("2", "High Street", "52.401", "R\tST"),
        GeoNames.line("4", "Riverside", "52.403", "P\tPPLX"), GeoNames.line("6", "Wells", "51.2", people: 12_000),
        GeoNames.postcode("CB7 4LS", "Ely", "52.404"), GeoNames.postcode("CB6", "Ely", "52.41", accuracy: "4"),
        GeoNames.postcode("TQ5", "Wells", "51.21", accuracy: "1"),
        // Of one postcode for several places the most precise one in the city counts.
        GeoNames.postcode("TQ6", "Glastonbury", "51.15"), GeoNames.postcode("TQ6", "Wells", "51.19"),
        GeoNames.postcode("TQ6", "Far away", "57"),
      ]
      let (outcome, reports) = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      #expect(outcome.added == lines.count && outcome.bad == 0, "\(reports)")
      let loan = try await lending.accept(try await lending.request(try await lending.list()))
      func found(_ city: String, _ street: String) async throws -> FoundPlace? {
        try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: TandemLending.Pickup.at("GB", city, street)),
          TestUser.ada.options
        ).pickup?.found
      }
      let cases: [(String, String, PlacePrecision, Int32, Double)] = [
        ("Ely", "7 Unknown Lane, cb7 4ls", .postcode, 1_000, 52.404),
        ("Ely", "7 Unknown Lane CB74LS", .postcode, 1_000, 52.404),
        ("Ely", "High Street, CB7 4LS", .street, 1_000, 52.401),
        ("Ely", "Riverside, CB7 4LS", .postcode, 1_000, 52.404), ("Ely", "Riverside, CB6 1AA", .quarter, 1_500, 52.403),
        ("Wells", "7 Vicars' Close TQ5", .postcode, 5_000, 51.21), ("Wells", "7 Vicars' Close", .city, 3_000, 51.2),
        ("Wells", "Vicars' Close, TQ6", .postcode, 1_000, 51.19),
        ("Wells", "Vicars' Close, CB7 4LS", .city, 3_000, 51.2),
      ]
      for (city, street, precision, metres, latitude) in cases {
        let place = try await found(city, street)
        #expect(place?.precision == precision && place?.precisionM == metres, "\(street): \(String(describing: place))")
        #expect(place?.point?.latitude == latitude, "\(street)")
      }
      let elsewhere = try await refusal { try await found("Ely", "7 Unknown Lane, TQ5") }
      #expect(elsewhere.reason == "ADDRESS_NOT_IN_CITY")
      let seen = try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), TestUser.grace.options)
      #expect(seen.pickup?.found?.precision == .city, "the last that was accepted")
    }
  }

  @Test("[LE-8] a point is shown with the nearest known place and its city, or with none within two kilometres")
  func nearby() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.loadPlaces()
      let loan = try await lending.request(try await lending.list())
      let point = TandemLending.Pickup(place: .point(Point(latitude: 51.5300, longitude: -0.1280)))
      let nearby = try #require(try await lending.accept(loan, at: point).pickup?.nearby)
      #expect(nearby.name == "British Library" && nearby.city == "London" && nearby.country == "GB")
      #expect(nearby.distanceM == 23)
      let sea = TandemLending.Pickup(place: .point(Point(latitude: 0, longitude: 179.999)))
      let changed = try await lending.loans.changePickup(
        ChangePickupRequest(loanID: loan.loanID, pickup: sea), TestUser.ada.options)
      #expect(changed.pickup == sea)
    }
  }

  @Test("[CA-2] 31: the catalog is told where the largest town of a name is, in whatever country")
  func towns() async throws {
    try await RunningLending.with { lending in
      let lines = [
        GeoNames.line("1", "Perth", "56.4", people: 47_000),
        GeoNames.line("2", "Perth", "-31.9", "P\tPPLA", "AU", people: 2_000_000),
        GeoNames.line("3", "Perth Street", "52", "R\tST"), GeoNames.line("4", "Wells", "51.2"),
      ]
      _ = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      func town(_ name: String) async throws -> Point? {
        try await lending.loans.findTown(FindTownRequest(name: name), .catalog).point
      }
      #expect(try await town(" PERTH ") == Point(latitude: -31.9, longitude: 0))
      #expect(try await town("wells") == Point(latitude: 51.2, longitude: 0))
      for unknown in ["Perth Street", "Atlantis", "?"] { #expect(try await town(unknown) == nil, "\(unknown)") }
      for bad in ["", " ", String(repeating: "x", count: 201)] {
        #expect(try await refusal { try await town(bad) }.fieldReasons == ["CITY_UNKNOWN"])
      }
    }
  }

  @Test("[LE-8] countries, their provinces and cities can be chosen from, the largest cities first")
  func choices() async throws {
    try await RunningLending.with { lending in
      let lines = [
        GeoNames.line("1", "Ely", "52.4", province: "ENG", people: 20_000),
        GeoNames.line("2", "Wells", "51.2", province: "ENG", people: 12_000),
        GeoNames.line("3", "Perth", "56.4", province: "SCT", people: 47_000),
        GeoNames.line("4", "Nowhere", "53", people: 1),
        GeoNames.line("5", "England", "52", "A\tADM1", province: "ENG"),
        GeoNames.line("6", "Bonn", "50.7", "P\tPPL", "DE"),
        GeoNames.line("7", "High Street", "52.4", "R\tST", province: "XYZ"),
      ]
      _ = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      let options = TestUser.grace.options
      #expect(try await lending.loans.listCountries(ListCountriesRequest(), options).countries == ["DE", "GB"])
      let provinces = try await lending.loans.listProvinces(ListProvincesRequest(country: "gb"), options).provinces
      #expect(provinces.map { "\($0.code) \($0.name)" } == ["ENG England", "SCT SCT"])
      func cities(_ province: String, _ size: Int32 = 0, _ token: String = "") async throws -> ListCitiesResponse {
        try await lending.loans.listCities(
          ListCitiesRequest(country: "GB", province: province, pageSize: size, pageToken: token), options)
      }
      #expect(try await cities("ENG").cities.map(\.name) == ["Ely", "Wells"])
      let first = try await cities("", 2)
      #expect(first.cities.map(\.name) == ["Perth", "Ely"])
      #expect(try await cities("", 2, first.nextPageToken).cities.map(\.name) == ["Wells", "Nowhere"])
      let unknown = try await refusal {
        try await lending.loans.listCities(
          ListCitiesRequest(country: "ZZ", province: String(repeating: "x", count: 21), pageSize: -1), options)
      }
      #expect(Set(unknown.fieldReasons) == ["COUNTRY_UNKNOWN", "PROVINCE_INVALID", "PAGE_SIZE_INVALID"])
    }
  }
}
