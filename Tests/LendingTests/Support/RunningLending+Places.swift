import FileLoading
import Foundation
import LendingLoading
import LoopExecutor
import Postgres
import TandemLending
import TestServices
import TestSupport

extension RunningLending {
  private static let samplePlaces = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Services/Lending/Samples/places.txt").standardized.path

  /// Loads places from `text`, in chunks of so many bytes, or those of the sample; returns the bad lines too.
  func loadPlaces(
    _ text: [UInt8]? = nil, chunk: Int = 1 << 16
  ) async throws -> (LoadOutcome, [String]) {
    let loops = LoopGroup(threads: 1)
    let configuration = DatabaseConfiguration(
      url: database.url(of: "lending"), applicationName: "tests", schema: "lending")
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
      let chunks = try FileChunks(path: Self.samplePlaces)
      return try await loader.load(over: connection) { try chunks.next() }
    }
    try await loops.shutdown()
    return (outcome, reports.all)
  }

  /// Accepts a loan of Ada's book.
  func accept(_ loan: Loan, at pickup: TandemLending.Pickup?) async throws -> Loan {
    try await loans.acceptRequest(
      AcceptRequestRequest(loanID: loan.loanID, pickup: pickup), TestUser.ada.options)
  }
}

extension TandemLending.Pickup {
  static func at(_ country: String, _ city: String, _ address: String) -> TandemLending.Pickup {
    TandemLending.Pickup(place: .address(Address(country: country, city: city, address: address)))
  }
}

/// Lines of GeoNames' files.
enum GeoNames {
  /// A place.
  static func line(
    _ id: String, _ name: String, _ latitude: String, _ kind: String = "P\tPPL", _ country: String = "GB",
    province: String = "", people: Int = 7
  ) -> String {
    "\(id)\t\(name)\t\t\t\(latitude)\t0\t\(kind)\t\(country)\t\t\(province)\t\t\t\t\(people)\t\t\t\t"
  }

  /// A postcode in Great Britain on the meridian of Greenwich.
  static func postcode(_ code: String, _ name: String, _ latitude: String, accuracy: String = "6") -> String {
    "GB\t\(code)\t\(name)\t\t\t\t\t\t\t\(latitude)\t0\t\(accuracy)"
  }
}
