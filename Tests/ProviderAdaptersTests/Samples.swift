import Foundation
import Identifiers
import ImporterDomain
import Testing
import WorkerPool

@testable import ProviderAdapters

/// Answers of providers: small ones of our own making, and the real ones beside the repository where they are.
enum Samples {
  static let window = SyncWindow(
    since: Instant(microseconds: 1_700_000_000_000_000), until: Instant(microseconds: 1_731_536_000_000_000))

  /// The folder of the real samples; `nil` where it is not there.
  static let folder: URL? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let places = [ProcessInfo.processInfo.environment["TANDEM_SHARED_DATA"], "\(root.path)/shared/data"]
    return places.compactMap { $0 }.map { URL(fileURLWithPath: "\($0)/trackers") }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }()

  static func real(_ name: String) throws -> [UInt8] {
    let folder = try #require(folder)
    return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  static func answer(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> DataAnswer {
    DataAnswer(status: status, body: Array(text.utf8), headers: headers)
  }

  static func page(_ adapter: any ProviderAdapter, _ kind: DataKind, _ body: [UInt8]) throws -> DataPage {
    let stream = try #require(adapter.streams.first { $0.kind == kind })
    return try adapter.page(of: stream, window, at: nil, DataAnswer(status: 200, body: body), on: .assumed())
  }

  static func page(_ adapter: any ProviderAdapter, _ kind: DataKind, _ text: String) throws -> DataPage {
    try page(adapter, kind, Array(text.utf8))
  }
}
