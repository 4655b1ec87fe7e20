import Environment
import CatalogDomain
import CatalogStore
import Foundation
import TestServices
import struct GoogleProtobuf.Timestamp
import Identifiers
import LoopExecutor
import Postgres
import Synchronization
import TTRPC
import TandemCatalog
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog

/// Loads gyms as the command does, from bytes.
enum GymLoading {
  private static let loops = LoopGroup(threads: 1)

  /// The outcome of a load of a text, and its bad records as `line: reason` in the order of their lines.
  static func load(
    _ text: some Sequence<UInt8>, zone: String? = nil, names: GymFieldNames = .tags, into database: TestDatabase,
    chunk: Int = 1 << 16
  ) async throws -> (outcome: LoadOutcome, bad: [String]) {
    let bad = Mutex<[BadRecord]>([])
    let loader = GymLoader(
      .osmGeoJSON, defaultZone: zone, names: names, environment: .system,
      report: { record in bad.withLock { $0.append(record) } })
    let configuration = DatabaseConfiguration(
      url: database.url(of: "catalog"), applicationName: "load", schema: "catalog")
    var rest = Array(text)[...]
    let outcome = try await BulkConnection.with(configuration, on: loops.executors[0]) { connection in
      try await loader.load(over: connection) {
        defer { rest = rest.dropFirst(chunk) }
        return rest.isEmpty ? nil : Array(rest.prefix(chunk))
      }
    }
    let listed = bad.withLock { $0.sorted { $0.line < $1.line } }.map { "\($0.line): \($0.reason)" }
    return (outcome, listed)
  }
}

/// A gym of a test's file.
struct GymFixture {
  var id: String
  var name = "Gym"
  var latitude: Double
  var longitude: Double
  var tags: [String: String] = [:]

  var feature: String {
    let tags = ["name": name, "leisure": "fitness_centre"].merging(tags) { $1 }
      .map { "\(Self.quoted($0.key)): \(Self.quoted($0.value))" }.sorted().joined(separator: ", ")
    return """
      {"type": "Feature", "id": \(Self.quoted(id)), "geometry": {"type": "Point", \
      "coordinates": [\(longitude), \(latitude)]}, "properties": {\(tags)}}
      """
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
  }
}

extension [GymFixture] {
  var collection: String {
    "{\"type\": \"FeatureCollection\", \"features\": [\n" + map(\.feature).joined(separator: ",\n") + "\n]}\n"
  }
}

extension RunningCatalog {
  var gyms: GymsClient { GymsClient(client) }

  /// Loads gyms, all of them good ones.
  func load(_ gyms: [GymFixture], zone: String? = nil) async throws {
    let (outcome, bad) = try await GymLoading.load(gyms.collection.utf8, zone: zone, into: database)
    try #require(bad == [] && outcome.bad == 0)
  }

  func nearest(
    _ latitude: Double, _ longitude: Double, radius: Double = 0, size: Int32 = 0, token: String = ""
  ) async throws -> FindNearestGymsResponse {
    try await gyms.findNearestGyms(
      FindNearestGymsRequest(
        point: Point(latitude: latitude, longitude: longitude), radiusM: radius, pageSize: size, pageToken: token),
      TestUser.ada.options)
  }

  func searchGyms(_ query: String, size: Int32 = 0, token: String = "") async throws -> SearchGymsResponse {
    try await gyms.searchGyms(
      SearchGymsRequest(query: query, pageSize: size, pageToken: token), TestUser.ada.options)
  }

  /// The id that a gym of a file has here.
  func gymID(_ sourceID: String) async throws -> String {
    try #require(try await value("select id from gyms where source_id = '\(sourceID)'"))
  }

  /// The only gym, or the one with the given source id.
  func gym(_ sourceID: String) async throws -> Gym {
    try await gyms.getGym(GetGymRequest(gymID: try await gymID(sourceID)), TestUser.ada.options)
  }
}

extension Timestamp {
  /// A moment, to the microsecond.
  init(_ instant: Instant) {
    let seconds = instant.wholeSeconds
    self.init(seconds: seconds, nanos: Int32(instant.microseconds - seconds * 1_000_000) * 1_000)
  }
}
