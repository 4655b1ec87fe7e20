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

@Suite("loads of places and postcodes")
struct PlaceLoadTests {
  @Test("[LE-8] a file of postcodes is loaded twice without change, bad lines are told apart, and it gives no streets")
  func postcodeFile() async throws {
    try await RunningLending.with { lending in
      let lines = [
        GeoNames.postcode("CB7 4LS", "Ely", "52.404"), GeoNames.postcode("CB7-4LS", "Ely", "52.5"),
        GeoNames.postcode("None", "Ely", "52"), GeoNames.postcode("CB8", "Ely", "x"),
        GeoNames.postcode("CB9", "Null\0ville", "1"),
        GeoNames.postcode("12345678901", "Ely", "52"), GeoNames.line("6", "Wells", "51.2", people: 12_000),
      ]
      let (first, reports) = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      #expect(first.added == 2 && first.unchanged == 1 && first.bad == 4)
      #expect(reports.map { $0.prefix(2) } == ["3:", "4:", "5:", "6:"], "\(reports)")
      #expect(
        try await lending.value("select latitude from postcodes") == "52.404", "of repeated ones the first counts")
      let moved = [GeoNames.postcode("CB7 4LS", "Ely", "52.405")]
      let (second, _) = try await lending.loadPlaces(Array(moved.joined(separator: "\n").utf8))
      #expect(second.added == 0 && second.changed == 1 && second.unchanged == 0)
    }
  }

  @Test(
    "[LE-8] a file of places that begins with a UTF-8 byte order mark is loaded whole, however its bytes arrive",
    arguments: [1, 2, 3, 4, 1 << 16])
  func byteOrderMark(chunk: Int) async throws {
    try await RunningLending.with { lending in
      let text = [UInt8](
        "\u{FEFF}\(GeoNames.line("1", "Ely", "52.4"))\r\n\(GeoNames.line("2", "Wells", "51.2"))\r\n".utf8)
      let (outcome, reports) = try await lending.loadPlaces(text, chunk: chunk)
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
      await #expect(throws: UnusableFile(reason: reason)) { try await lending.loadPlaces(bytes, chunk: 1) }
    }
  }

  @Test("[LE-8] a load of places happens again without effect, and names bad lines")
  func loads() async throws {
    try await RunningLending.with { lending in
      let (first, none) = try await lending.loadPlaces()
      #expect(first.added == first.records && first.bad == 0 && none.isEmpty)
      let (second, _) = try await lending.loadPlaces()
      #expect(second.added == 0 && second.changed == 0 && second.unchanged == first.added)
      let lines = [
        GeoNames.line("1", "Ely", "52.4"), "cut", GeoNames.line("2", "Nowhere", "x"),
        GeoNames.line("1", "Ely again", "52.4"),
        GeoNames.line("3", "England", "52", "A\tADM1"), GeoNames.line("x", "No id", "1"), GeoNames.line("4", "--", "1"),
        GeoNames.line("9900000006", "London", "51.5"), GeoNames.line("5", "No country", "1", "P\tPPL", "gb"),
        GeoNames.line("6", "Null\0ville", "1"),
      ]
      let (third, reports) = try await lending.loadPlaces(Array(lines.joined(separator: "\n").utf8))
      #expect(third.added == 1 && third.changed == 1 && third.passedOver == 1 && third.bad == 7)
      #expect(reports.map { $0.prefix(2) } == ["2:", "3:", "6:", "7:", "9:", "10", "4:"], "\(reports)")
      #expect(try await lending.value("select count(*) from place_names where key = 'londres'") == "0")
    }
  }
}
