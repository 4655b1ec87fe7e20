import ArgumentParser
import CatalogDomain
import CatalogStore
import Foundation
import Postgres
import ServiceRuntime
import TTRPC
import TandemCatalog
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog

@Suite("loading gyms", .timeLimit(.minutes(5)))
struct LoadGymsTests {
  private func rows(_ database: TestDatabase, _ columns: String) async throws -> [[String?]] {
    try await Administration.session(database.url) {
      try $0.run("select \(columns) from catalog.gyms order by source_id")
    }
  }

  /// A collection of features as they are written here.
  private func collection(_ features: String...) -> String {
    "{\"type\": \"FeatureCollection\", \"features\": [\n" + features.joined(separator: ",\n") + "\n]}"
  }

  private func feature(_ id: String, _ geometry: String, _ properties: String) -> String {
    #"{"type": "Feature", "id": "\#(id)", "geometry": {\#(geometry)}, "properties": {\#(properties)}}"#
  }

  private let place = #""type": "Point", "coordinates": [103.85, 1.29, 12.5]"#

  @Test(
    "[CA-5] a plain GeoJSON without ids and tags is loaded whole by the names of its properties, and again without a change"
  )
  func plain() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let features = (0..<152).map { number in
        """
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [103.\(800 + number / 2), 1.3, 0.0]}, \
        "properties": {"Name": "Gym \(number)", "ADDRESSPOSTALCODE": \(100_000 + number), "OBJECTID": null}}
        """
      }
      let file = "{\"type\": \"FeatureCollection\", \"features\": [\n" + features.joined(separator: ",\n") + "\n]}"
      let command = try LoadGymsCommand.parse(["-", "--field", "name=Name", "--field", "postcode=ADDRESSPOSTALCODE"])
      let names = GymFieldNames(command.field.map { ($0.field, $0.property) })

      let refused = try await GymLoading.load(file.utf8, into: database).outcome
      let (outcome, bad) = try await GymLoading.load(file.utf8, names: names, into: database)
      let again = try await GymLoading.load(file.utf8, names: names, into: database).outcome

      #expect(refused.bad == 152)
      #expect(bad == [] && outcome.added == 152 && again.added == 0 && again.unchanged == 152)
      let row = try await rows(database, "name, postcode, name_key").first { $0[0] == "Gym 7" }
      #expect(row == ["Gym 7", "100007", "gym 7"])
      #expect(throws: (any Error).self) { try LoadGymsCommand.parse(["-", "--field", "nme=Name"]) }
    }
  }

  @Test(
    "[CA-5] a property called as a tag does not stand in for the one that is named, which may be that of two fields")
  func propertyCalledAsTag() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let file = collection(
        feature("1", place, #""Title": "Right", "name": "Wrong", "Town": "Ville", "addr:city": "Wrong""#),
        feature("2", place, #""name": "Wrong", "Title": "Also right", "Town": null, "addr:city": "Wrong""#))
      let names = GymFieldNames([(.name, "Title"), (.city, "Town"), (.street, "Town"), (.id, "@id")])
      let outcome = try await GymLoading.load(file.utf8, names: names, into: database).outcome
      #expect(outcome.added == 2)
      let rows = try await rows(database, "name, city, street")
      #expect(Set(rows) == [["Right", "Ville", "Ville"], ["Also right", "", ""]])
    }
  }

  @Test("[CA-5] a field is named once")
  func fieldNamedTwice() {
    let refused = #expect(throws: (any Error).self) {
      try LoadGymsCommand.parse(["-", "--field", "name=Name", "--field", "name=Title"])
    }
    let message = refused.map { LoadGymsCommand.message(for: $0) } ?? ""
    #expect(message.contains("--field names a property for name twice"))
  }

  @Test(
    "[CA-5] a feature of several kinds is a gym if one of them is, and valid JSON of another shape is told from broken one"
  )
  func kindsAndShapes() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let file = collection(
        feature("node/1", place, #""name": "Both", "leisure": "sauna; fitness_centre""#),
        feature("node/2", #""type": "Point", "coordinates": "here""#, #""name": "Odd""#),
        feature("node/3", place, #""name": "Cut" "x": 1"#))
      let (outcome, bad) = try await GymLoading.load(file.utf8, into: database)
      #expect(outcome.added == 1 && outcome.passedOver == 0)
      #expect(
        bad.map { $0.split(separator: ": ").last ?? "" } == [
          "it is JSON, but a value that is read cannot be used", "its JSON cannot be read",
        ])
    }
  }

  @Test(
    "[CA-5] OpenStreetMap's tags are read, among the properties or in an object of theirs, and a second load changes nothing"
  )
  func tags() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let file = collection(
        feature(
          "node/1", place,
          #""@id": "node/9", "name": " Sal\u00f3n \"Fit\" \ud83d\ude00\/", "addr:street": "Hill Street", "addr:housenumber": 62, "addr:postcode": "179367", "addr:city": "Singapore", "addr:country": "sg", "phone": "+65 1", "website": "https://fit.example", "opening_hours": "24/7", "capacity": "120", "timezone": "Asia/Tokyo", "x": {"y": [1, "z", null]}"#
        ),
        #"{"geometry": {"coordinates": [103.9, 1.3], "type": "Point"}, "properties": {"osm_type": "way", "osm_id": 7, "name": "Flat", "tags": {"name": "Nested", "leisure": "sports_centre", "contact:phone": "2", "website": "javascript:alert(1)", "capacity": "many", "opening_hours": "a\u0000b", "addr:place": "Square"}}, "type": "Feature"}"#,
        feature("node/3", place, #""brand": "Chain only", "amenity": "gym""#),
        feature("node/4", place, #""name": "A cinema", "amenity": "cinema""#),
        feature("node/5", place, #""name": "Whatever it is""#))
      let (outcome, bad) = try await GymLoading.load(file.utf8, zone: "Asia/Singapore", into: database, chunk: 11)
      let again = try await GymLoading.load(file.utf8, zone: "Asia/Singapore", into: database)

      #expect(bad == [] && outcome.records == 5 && outcome.added == 4 && outcome.passedOver == 1)
      #expect(again.outcome.added == 0 && again.outcome.changed == 0 && again.outcome.unchanged == 4)
      let rows = try await rows(
        database,
        "source, source_id, name, street, house_number, postcode, city, country, phone, website, time_zone, opening_hours, capacity"
      )
      let source = "osm-geojson"
      #expect(
        rows == [
          [
            source, "node/1", "Salón \"Fit\" 😀/", "Hill Street", "62", "179367", "Singapore", "SG", "+65 1",
            "https://fit.example", "Asia/Tokyo", "24/7", "120",
          ],
          [source, "node/3", "Chain only", "", "", "", "", "", "", "", "Asia/Singapore", "", nil],
          [source, "node/5", "Whatever it is", "", "", "", "", "", "", "", "Asia/Singapore", "", nil],
          [source, "way/7", "Nested", "Square", "", "", "", "", "2", "", "Asia/Singapore", "", nil],
        ])
    }
  }

  @Test("[CA-5] bad features are named with line, number and reason, and the rest is there")
  func bad() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let name = #""name": "Gym""#
      func point(_ coordinates: String) -> String { #""type": "Point", "coordinates": \#(coordinates)"# }
      let file = collection(
        feature("node/1", place, name), feature("node/2", point("[1.29, 103.85]"), name),
        feature("node/3", point("[181, 10]"), name), feature("node/4", point("[0, 0.0]"), name),
        feature("node/5", point("[1e999, 1]"), name), feature("node/6", point(#"["1", "2"]"#), name),
        feature("node/7", point("[1]"), name), feature("node/8", point("[[[[[[1, 2]]]]]]"), name),
        feature("node/9", #""type": "Point""#, name), feature("node/1", place, name), feature("", place, name),
        feature("node/ 12", place, name), feature("node/13", place, #""name": "\u0007""#),
        feature("node/14", place, #""name": "\ud800""#),
        feature("node/15", place, #""name": "Gym", "timezone": "Mars/Olympus""#),
        #"{"type": "Feature", "id": "node/16" "geometry": {}}"#, #"{"type": "Polygon"}"#, "[]",
        feature("node/19", place, name))
      let (outcome, bad) = try await GymLoading.load(file.utf8, into: database, chunk: 13)
      #expect(
        bad == [
          "3: feature 2: its coordinates are swapped: longitude comes first",
          "4: feature 3: its coordinates are nowhere on the Earth", "5: feature 4: its coordinates are both zero",
          "6: feature 5: it is JSON, but a value that is read cannot be used",
          "7: feature 6: it is JSON, but a value that is read cannot be used",
          "8: feature 7: its coordinates cannot be read", "9: feature 8: its coordinates cannot be read",
          "10: feature 9: it has no usable place", "11: feature 10: the id node/1 is on line 2 already",
          "12: feature 11: it has no usable id", "13: feature 12: it has no usable id",
          "14: feature 13: it has no usable name",
          "15: feature 14: it is JSON, but a value that is read cannot be used",
          "16: feature 15: there is no time zone of the name that it gives", "17: feature 16: its JSON cannot be read",
          "18: feature 17: it is no feature", "19: feature 18: it does not begin with {",
        ])
      #expect(outcome.added == 2 && outcome.bad == 17 && outcome.records == 19)
      #expect(try await rows(database, "source_id") == [["node/1"], ["node/19"]])
    }
  }

  @Test("[CA-5] another encoding is refused, as a whole where the file says so, else where it shows")
  func encodings() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let text = collection(feature("node/1", place, #""name": "Gym""#), feature("node/2", place, #""name": "Sal?n""#))
      let latin = text.utf8.map { $0 == UInt8(ascii: "?") ? 0xF3 : $0 }
      let (outcome, bad) = try await GymLoading.load(latin, into: database)
      #expect(bad == ["3: feature 2: it is not in UTF-8"] && outcome.added == 1)
      let marked = try await GymLoading.load([0xEF, 0xBB, 0xBF] + Array(text.utf8), into: database)
      #expect(marked.outcome.added == 1 && marked.outcome.unchanged == 1)
      let wide = text.utf8.reduce(into: [0xFF, 0xFE] as [UInt8]) { $0 += [$1, 0] }
      await #expect(throws: UnusableFile(reason: "it is in UTF-16; convert it to UTF-8")) {
        try await GymLoading.load(wide, into: database)
      }
    }
  }

  @Test("[CA-5] of a file that was cut in half the first half is loaded, and the cut is named")
  func cut() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let text = collection(feature("node/1", place, #""name": "Gym""#), feature("node/2", place, #""name": "Gym""#))
      let (outcome, bad) = try await GymLoading.load(text.utf8.dropLast(30), into: database)
      #expect(bad == ["3: feature 2: the file ends in the middle of it"] && outcome.added == 1)
      await #expect(throws: UnusableFile.self) { try await GymLoading.load("[]".utf8, into: database) }
      await #expect(throws: UnknownZone(name: "Europe/Berlin; drop table")) {
        try await GymLoading.load(text.utf8, zone: "Europe/Berlin; drop table", into: database)
      }
    }
  }

  @Test("[CA-5] a building's middle is its place, across the antimeridian too")
  func buildings() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let square =
        #""type": "Polygon", "coordinates": [[[10, 50], [10.002, 50], [10.002, 50.002], [10, 50.002], [10, 50]]]"#
      let edge =
        #""type": "MultiPolygon", "coordinates": [[[[179.999, -16.001], [-179.999, -16.001], [-179.999, -15.999], [179.999, -15.999], [179.999, -16.001]]]]"#
      let file = collection(feature("way/1", square, #""name": "A""#), feature("way/2", edge, #""name": "B""#))
      #expect(try await GymLoading.load(file.utf8, into: database).bad == [])
      let rows = try await rows(database, "round(latitude::numeric, 4), round(longitude::numeric, 4)")
      #expect(
        rows == [["50.0010", "10.0010"], ["-16.0000", "180.0000"]]
          || rows == [["50.0010", "10.0010"], ["-16.0000", "-180.0000"]])
    }
  }

  @Test(
    "[MA-8] the outline of the largest building is kept, with 64 points at most, or a radius; loading again changes nothing"
  )
  func outlines() async throws {
    try await RunningCatalog.with { catalog in
      // A circle of 1,000 corners, 111 m wide, with a yard in it; and a shed beside it.
      func ring(_ count: Int, _ size: Double, _ east: Double) -> String {
        let corners = (0...count).map { number in
          let angle = 2 * Double.pi * Double(number % count) / Double(count)
          return "[\(103.8 + east + size * cos(angle)), \(1.3 + size * sin(angle))]"
        }
        return "[" + corners.joined(separator: ", ") + "]"
      }
      let round =
        "\"type\": \"MultiPolygon\", \"coordinates\": [[\(ring(4, 0.0001, 0.01))], [\(ring(1_000, 0.0005, 0)), \(ring(8, 0.0001, 0))]]"
      let file = collection(
        feature("way/1", round, #""name": "Round""#), feature("node/2", place, #""name": "Point", "radius": "60""#),
        feature("node/3", place, #""name": "Park", "radius": "5000""#))
      let (outcome, bad) = try await GymLoading.load(file.utf8, into: catalog.database)
      let again = try await GymLoading.load(file.utf8, into: catalog.database).outcome
      #expect(bad == [] && outcome.added == 3 && again.unchanged == 3)
      let rows = try await catalog.sql(
        "select cardinality(outline)::text, radius_m::text from gyms order by name")
      #expect(rows == [[nil, nil], [nil, "60"], ["128", nil]])
      let farthest = try await catalog.value(
        """
        select max(abs(sqrt(power(outline[2 * n] - 103.8, 2) + power(outline[2 * n - 1] - 1.3, 2)) - 0.0005)) < 0.00002
        from gyms, generate_series(1, 64) as n where name = 'Round'
        """)
      #expect(farthest == "t")
    }
  }

  @Test("[CA-5] a gym keeps its id when its file is loaded again with something else, and only that one is changed")
  func changes() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let gyms = [GymFixture(id: "a", latitude: 1, longitude: 2), GymFixture(id: "b", latitude: 1, longitude: 2)]
      _ = try await GymLoading.load(gyms.collection.utf8, into: database)
      let before = try await rows(database, "id")
      let moved = [gyms[0], GymFixture(id: "b", latitude: 1, longitude: 3)]
      let (outcome, _) = try await GymLoading.load(moved.collection.utf8, into: database)
      #expect(outcome.changed == 1 && outcome.unchanged == 1 && outcome.added == 0)
      #expect(try await rows(database, "id") == before)
      #expect(try await rows(database, "longitude") == [["2"], ["3"]])
    }
  }

  @Test("[CA-5] of loads at once each does its part: every gym is there once")
  func atOnce() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let text = (0..<50).map { GymFixture(id: "node/\($0)", latitude: 1, longitude: Double($0)) }.collection
      let added = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<12 { group.addTask { try await GymLoading.load(text.utf8, into: database).outcome.added } }
        return try await group.reduce(0, +)
      }
      #expect(added == 50)
      #expect(try await rows(database, "count(*) over ()").count == 50)
    }
  }

  @Test("[CA-5] [CA-1] the command loads the sample file, and what it loaded is found")
  func commands() async throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Services/Catalog/Samples/gyms.geojson").standardizedFileURL.path
    try await RunningCatalog.with { catalog in
      let url = "--database-url=\(catalog.database.url(of: "catalog"))"
      try await LoadGymsCommand.parse([samples, "--format", "osm-geojson", "--time-zone", "Europe/Paris", url]).run()
      #expect(try await catalog.value("select count(*) from gyms") == "12")
      let nearest = try await catalog.nearest(51.5033, -0.1276, size: 1)
      #expect(nearest.gyms.first?.gym?.name == "Kettlebell Kitchen")

      let missing = await #expect(throws: StartupError.self) {
        try await LoadGymsCommand.parse(["/nowhere/gyms.geojson", url]).run()
      }
      #expect(missing?.lines == ["/nowhere/gyms.geojson cannot be loaded: no such file or directory"])
      let zone = await #expect(throws: StartupError.self) {
        try await LoadGymsCommand.parse([samples, "--time-zone", "Atlantis", url]).run()
      }
      #expect(zone?.exitStatus == 2)
      #expect(zone?.lines == ["there is no time zone Atlantis; a name is like Europe/Berlin"])
    }
  }

  @Test("[CA-5] D-11: a file of which no gym can be loaded fails, and the failure names --field")
  func nothingLoaded() async throws {
    try await RunningCatalog.with { catalog in
      let file = FileManager.default.temporaryDirectory.appending(path: "gyms-\(UUID().uuidString).geojson")
      defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
      let features = (0..<3).map { number in
        """
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [103.\(800 + number), 1.3]}, \
        "properties": {"NAME": "Gym \(number)"}}
        """
      }
      try Data("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}".utf8).write(
        to: file)
      let url = "--database-url=\(catalog.database.url(of: "catalog"))"
      let failure = await #expect(throws: StartupError.self) {
        try await LoadGymsCommand.parse([file.path, url]).run()
      }
      #expect(failure?.exitStatus == 1 && failure?.lines.first?.contains("--field") == true, "\(failure as Any)")
      try await LoadGymsCommand.parse([file.path, url, "--field", "name=NAME"]).run()
      #expect(try await catalog.value("select count(*) from gyms") == "3")
    }
  }

  private static let real = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/data/gyms/sg-gyms-osm.geojson").standardizedFileURL

  @Test(
    "[CA-5] [CA-3] OpenStreetMap's gyms of Singapore all load, and all of their opening hours are understood",
    .enabled(if: FileManager.default.fileExists(atPath: real.path), "OpenStreetMap's gyms are not beside the project"))
  func realGyms() async throws {
    try await RunningCatalog.with { catalog in
      let (outcome, bad) = try await GymLoading.load(
        Data(contentsOf: Self.real), zone: "Asia/Singapore", into: catalog.database)
      #expect(bad == [] && outcome.added == 50 && outcome.passedOver == 0)
      let texts = try await catalog.sql("select opening_hours from gyms where opening_hours <> ''").compactMap { $0[0] }
      #expect(texts.count == 3 && texts.allSatisfy { OpeningHours($0) != nil })
      let nearest = try await catalog.nearest(1.2834, 103.8607, size: 50).gyms
      #expect(nearest.count == 50 && nearest.allSatisfy { $0.distanceM < 30_000 })
      #expect(try await catalog.searchGyms("gemmill").gyms.map(\.name) == ["Pilatique Pilates Studio"])
      #expect(try await catalog.searchGyms("pilatiqe").match == .similar)
    }
  }
}
