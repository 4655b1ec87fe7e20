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
  private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Services/Lending/Samples/places.txt").standardized.path

  private func load(
    _ lending: RunningLending, _ text: [UInt8]? = nil, chunk: Int = 1 << 16
  ) async throws -> (LoadOutcome, [String]) {
    let loops = LoopGroup(threads: 1)
    let configuration = DatabaseConfiguration(
      url: lending.database.url(of: "lending"), applicationName: "tests", schema: "lending")
    let reports = Gathered<String>()
    let outcome = try await BulkConnection.with(configuration, on: loops.executors[0]) { connection in
      let loader = PlaceLoader(report: { reports.add("\($0.line): \($0.reason)") })
      if let text {
        var rest = text[...]
        return try await loader.load(over: connection) {
          defer { rest = rest.dropFirst(chunk) }
          return rest.isEmpty ? nil : Array(rest.prefix(chunk))
        }
      }
      let chunks = try FileChunks(path: Self.sample)
      return try await loader.load(over: connection) { try chunks.next() }
    }
    try await loops.shutdown()
    return (outcome, reports.all)
  }

  private func address(_ country: String, _ city: String, _ address: String) -> TandemLending.Pickup {
    TandemLending.Pickup(place: .address(Address(country: country, city: city, address: address)))
  }

  private func accept(
    _ loan: Loan, at pickup: TandemLending.Pickup?, _ lending: RunningLending
  ) async throws -> Loan {
    try await lending.loans.acceptRequest(
      AcceptRequestRequest(loanID: loan.loanID, pickup: pickup), TestUser.ada.options)
  }

  @Test("[LE-8] an address of the gazetteer is taken, one outside its city is not, and the borrower reads it")
  func addresses() async throws {
    try await RunningLending.with { lending in
      _ = try await load(lending)
      let loan = try await lending.request(try await lending.list())
      let elsewhere = try await refusal {
        try await accept(loan, at: address("GB", "London", "3 King's Parade"), lending)
      }
      #expect(elsewhere.code == .invalidArgument && elsewhere.reason == "ADDRESS_NOT_IN_CITY")
      #expect(elsewhere.fields == ["pickup.address.address"])
      let invented = try await refusal { try await accept(loan, at: address("GB", "London", "Diagon Alley"), lending) }
      #expect(invented.reason == "ADDRESS_NOT_IN_CITY")
      let accepted = try await accept(loan, at: address("GB", "Londres", "  96 Euston   Road, 2nd floor"), lending)
      #expect(accepted.pickup?.place == address("GB", "Londres", "96 Euston Road, 2nd floor").place)
      let seen = try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), TestUser.grace.options)
      #expect(seen.pickup == accepted.pickup)
    }
  }

  @Test("[LE-8] 31 item 5: where no places are loaded an unknown city is said to be unknown for that")
  func noPlaces() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      func message() async throws -> String {
        let refused = try await refusal { try await accept(loan, at: address("FR", "Paris", "Rue de Rivoli"), lending) }
        #expect(refused.fieldReasons == ["CITY_UNKNOWN"])
        return refused.badRequest?.fieldViolations.map(\.description).joined() ?? ""
      }
      #expect(try await message() == "No places are loaded here, so that every address is unknown")
      _ = try await load(lending)
      #expect(try await message() == "No city of that name is known there")
    }
  }

  @Test("[LE-8] every field at fault is named at once")
  func badFields() async throws {
    try await RunningLending.with { lending in
      _ = try await load(lending)
      let loan = try await lending.request(try await lending.list())
      let cases: [(TandemLending.Pickup?, [String])] = [
        (TandemLending.Pickup(), ["PICKUP_REQUIRED"]),
        (TandemLending.Pickup(place: .point(Point(latitude: 91, longitude: 0))), ["POINT_INVALID"]),
        (address("uk", "", " "), ["COUNTRY_UNKNOWN", "CITY_UNKNOWN", "ADDRESS_REQUIRED"]),
        (address("GB", "Berlin", "Friedrichstr. 1"), ["CITY_UNKNOWN"]),
        (address("GB", "London", String(repeating: "x", count: 201)), ["ADDRESS_INVALID"]),
      ]
      for (pickup, reasons) in cases {
        let refused = try await refusal { try await accept(loan, at: pickup, lending) }
        #expect(refused.code == .invalidArgument && refused.fieldReasons == reasons, "\(String(describing: pickup))")
      }
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
      _ = try await load(lending)
      let loan = try await lending.request(try await lending.list())
      let accepted = try await accept(loan, at: address(country, city, street), lending)
      #expect(accepted.pickup?.place == address(country.uppercased(), city, street).place)
    }
  }

  @Test("[LE-8] [C-2] a country that there is not is the country's fault, and everything else is judged with it")
  func countries() async throws {
    try await RunningLending.with { lending in
      _ = try await load(lending)
      let loan = try await lending.request(try await lending.list())
      let nowhere = try await refusal { try await accept(loan, at: address("ZZ", "London", "Euston Road"), lending) }
      #expect(nowhere.fieldReasons == ["COUNTRY_UNKNOWN"])
      let notLoaded = try await refusal { try await accept(loan, at: address("FR", "Paris", "Rue de Rivoli"), lending) }
      #expect(notLoaded.fieldReasons == ["CITY_UNKNOWN"])
      let several = try await refusal { try await accept(loan, at: address("GB", "Berlin", " "), lending) }
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

  @Test(
    "[LE-8] of several words that may be abbreviations each is one or is not",
    arguments: ["12 St Thomas Rd", "St. Thomas Road", "Saint Thomas, 12 St Thomas Rd., 3rd floor", "12 St Thomas St"])
  func someAbbreviations(street: String) async throws {
    try await RunningLending.with { lending in
      let lines = [
        Self.line("1", "Ely", "52.4"), Self.line("2", "St Thomas Road", "52.4", "R\tST"),
        Self.line("3", "St Thomas Street", "52.4", "R\tST"),
      ]
      _ = try await load(lending, Array(lines.joined(separator: "\n").utf8))
      let loan = try await lending.request(try await lending.list())
      #expect(try await accept(loan, at: address("GB", "Ely", street), lending).state == .accepted)
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

  /// A line of a GeoNames file.
  private static func line(
    _ id: String, _ name: String, _ latitude: String, _ kind: String = "P\tPPL", _ country: String = "GB",
    province: String = "", people: Int = 7
  ) -> String {
    "\(id)\t\(name)\t\t\t\(latitude)\t0\t\(kind)\t\(country)\t\t\(province)\t\t\t\t\(people)\t\t\t\t"
  }

  @Test("[LE-8] an acceptance may leave the place for later; the borrower is told when it comes")
  func later() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      #expect(try await accept(loan, at: nil, lending).pickup == nil)
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
        let refused = try await refusal { try await accept(loan, at: place(bad), lending) }
        #expect(refused.fieldReasons == ["PICKUP_TIME_INVALID"] && refused.fields == ["pickup.time"], "\(bad)")
      }
      #expect(try await accept(loan, at: place(now + 3_600), lending).pickup?.time?.seconds == now + 3_600)
      let moved = try await lending.loans.changePickup(
        ChangePickupRequest(loanID: loan.loanID, pickup: place(now + 7_200)), TestUser.ada.options)
      #expect(moved.pickup?.time?.seconds == now + 7_200)
      #expect(try await lending.told(NotificationRequested.self).last?.word == "moved")
    }
  }

  @Test("[LE-8] an address keeps the position that the gazetteer found, and how precise it is")
  func position() async throws {
    try await RunningLending.with { lending in
      _ = try await load(lending)
      let loan = try await lending.request(try await lending.list())
      let accepted = try await accept(loan, at: address("GB", "London", "British Library, 96 Euston Road"), lending)
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
        Self.line("1", "Ely", "52.4", people: 20_000), Self.line("2", "High Street", "52.401", "R\tST"),
        Self.line("3", "Ely Library", "52.402", "S\tLIBR"), Self.line("4", "Riverside", "52.403", "P\tPPLX"),
        Self.line("5", "Jubilee Gardens", "52.404", "L\tPRK"), Self.line("6", "Wells", "51.2", people: 12_000),
        Self.line("7", "Ely", "58", people: 100),
      ]
      _ = try await load(lending, Array(lines.joined(separator: "\n").utf8))
      let loan = try await lending.accept(try await lending.request(try await lending.list()))
      func found(_ city: String, _ street: String) async throws -> FoundPlace? {
        try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: address("GB", city, street)), TestUser.ada.options
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
      #expect(seen.pickup?.place == address("GB", "Wells", "7 Vicars' Close").place)
    }
  }

  /// A line of GeoNames' postcodes, in Great Britain on the meridian of Greenwich.
  private static func postcode(_ code: String, _ name: String, _ latitude: String, accuracy: String = "6") -> String {
    "GB\t\(code)\t\(name)\t\t\t\t\t\t\t\(latitude)\t0\t\(accuracy)"
  }

  @Test("[LE-8] a postcode places an address whose street is not known, in its city alone, and the precision says so")
  func postcodes() async throws {
    try await RunningLending.with { lending in
      let lines = [
        Self.line("1", "Ely", "52.4", people: 20_000), Self.line("2", "High Street", "52.401", "R\tST"),
        Self.line("4", "Riverside", "52.403", "P\tPPLX"), Self.line("6", "Wells", "51.2", people: 12_000),
        Self.postcode("CB7 4LS", "Ely", "52.404"), Self.postcode("CB6", "Ely", "52.41", accuracy: "4"),
        Self.postcode("TQ5", "Wells", "51.21", accuracy: "1"),
        // Of one postcode for several places the most precise one in the city counts.
        Self.postcode("TQ6", "Glastonbury", "51.15"), Self.postcode("TQ6", "Wells", "51.19"),
        Self.postcode("TQ6", "Far away", "57"),
      ]
      let (outcome, reports) = try await load(lending, Array(lines.joined(separator: "\n").utf8))
      #expect(outcome.added == lines.count && outcome.bad == 0, "\(reports)")
      let loan = try await lending.accept(try await lending.request(try await lending.list()))
      func found(_ city: String, _ street: String) async throws -> FoundPlace? {
        try await lending.loans.changePickup(
          ChangePickupRequest(loanID: loan.loanID, pickup: address("GB", city, street)), TestUser.ada.options
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

  @Test("[LE-8] a file of postcodes is loaded twice without change, bad lines are told apart, and it gives no streets")
  func postcodeFile() async throws {
    try await RunningLending.with { lending in
      let lines = [
        Self.postcode("CB7 4LS", "Ely", "52.404"), Self.postcode("CB7-4LS", "Ely", "52.5"),
        Self.postcode("None", "Ely", "52"), Self.postcode("CB8", "Ely", "x"), Self.postcode("CB9", "Null\0ville", "1"),
        Self.postcode("12345678901", "Ely", "52"), Self.line("6", "Wells", "51.2", people: 12_000),
      ]
      let (first, reports) = try await load(lending, Array(lines.joined(separator: "\n").utf8))
      #expect(first.added == 2 && first.unchanged == 1 && first.bad == 4)
      #expect(reports.map { $0.prefix(2) } == ["3:", "4:", "5:", "6:"], "\(reports)")
      #expect(
        try await lending.value("select latitude from postcodes") == "52.404", "of repeated ones the first counts")
      let moved = [Self.postcode("CB7 4LS", "Ely", "52.405")]
      let (second, _) = try await load(lending, Array(moved.joined(separator: "\n").utf8))
      #expect(second.added == 0 && second.changed == 1 && second.unchanged == 0)
    }
  }

  @Test("[LE-8] a point is shown with the nearest known place and its city, or with none within two kilometres")
  func nearby() async throws {
    try await RunningLending.with { lending in
      _ = try await load(lending)
      let loan = try await lending.request(try await lending.list())
      let point = TandemLending.Pickup(place: .point(Point(latitude: 51.5300, longitude: -0.1280)))
      let nearby = try #require(try await accept(loan, at: point, lending).pickup?.nearby)
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
        Self.line("1", "Perth", "56.4", people: 47_000),
        Self.line("2", "Perth", "-31.9", "P\tPPLA", "AU", people: 2_000_000),
        Self.line("3", "Perth Street", "52", "R\tST"), Self.line("4", "Wells", "51.2"),
      ]
      _ = try await load(lending, Array(lines.joined(separator: "\n").utf8))
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
        Self.line("1", "Ely", "52.4", province: "ENG", people: 20_000),
        Self.line("2", "Wells", "51.2", province: "ENG", people: 12_000),
        Self.line("3", "Perth", "56.4", province: "SCT", people: 47_000), Self.line("4", "Nowhere", "53", people: 1),
        Self.line("5", "England", "52", "A\tADM1", province: "ENG"), Self.line("6", "Bonn", "50.7", "P\tPPL", "DE"),
        Self.line("7", "High Street", "52.4", "R\tST", province: "XYZ"),
      ]
      _ = try await load(lending, Array(lines.joined(separator: "\n").utf8))
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

  @Test(
    "[LE-8] a file of places that begins with a UTF-8 byte order mark is loaded whole, however its bytes arrive",
    arguments: [1, 2, 3, 4, 1 << 16])
  func byteOrderMark(chunk: Int) async throws {
    try await RunningLending.with { lending in
      let text = [UInt8]("\u{FEFF}\(Self.line("1", "Ely", "52.4"))\r\n\(Self.line("2", "Wells", "51.2"))\r\n".utf8)
      let (outcome, reports) = try await load(lending, text, chunk: chunk)
      #expect(outcome.records == 2 && outcome.added == 2 && reports.isEmpty, "\(reports)")
      #expect(
        try await lending.sql("select id::text, name from places order by id") == [["1", "Ely"], ["2", "Wells"]])
    }
  }

  @Test(
    "[LE-8] a file of places that is compressed or in UTF-16 is refused as a whole, with the reason",
    arguments: [
      ([0x50, 0x4B, 0x03, 0x04], "it is compressed; unpack it, into this command's standard input for example"),
      ([0x1F, 0x8B, 0x08, 0x00], "it is compressed; unpack it, into this command's standard input for example"),
      ([0xFF, 0xFE, 0x31, 0x00], "it is in UTF-16; convert it to UTF-8"),
    ] as [([UInt8], String)])
  func unusable(bytes: [UInt8], reason: String) async throws {
    try await RunningLending.with { lending in
      await #expect(throws: UnusableFile(reason: reason)) { try await load(lending, bytes, chunk: 1) }
    }
  }

  @Test("[LE-8] a load of places happens again without effect, and names bad lines")
  func loads() async throws {
    try await RunningLending.with { lending in
      let (first, none) = try await load(lending)
      #expect(first.added == first.records && first.bad == 0 && none.isEmpty)
      let (second, _) = try await load(lending)
      #expect(second.added == 0 && second.changed == 0 && second.unchanged == first.added)
      let lines = [
        Self.line("1", "Ely", "52.4"), "cut", Self.line("2", "Nowhere", "x"), Self.line("1", "Ely again", "52.4"),
        Self.line("3", "England", "52", "A\tADM1"), Self.line("x", "No id", "1"), Self.line("4", "--", "1"),
        Self.line("9900000006", "London", "51.5"), Self.line("5", "No country", "1", "P\tPPL", "gb"),
        Self.line("6", "Null\0ville", "1"),
      ]
      let (third, reports) = try await load(lending, Array(lines.joined(separator: "\n").utf8))
      #expect(third.added == 1 && third.changed == 1 && third.passedOver == 1 && third.bad == 7)
      #expect(reports.map { $0.prefix(2) } == ["2:", "3:", "6:", "7:", "9:", "10", "4:"], "\(reports)")
      #expect(try await lending.value("select count(*) from place_names where key = 'londres'") == "0")
    }
  }
}
