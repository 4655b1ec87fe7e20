import Base64
import TTRPC
import TandemImporter
import Testing

/// Activities that the table's requests are about.
extension Scene {
  /// Performs the steps of `before` that concern activities; `false` for any other.
  mutating func performWithActivities(_ step: String) async throws -> Bool {
    guard step == "ownActivity" else { return false }
    // The caller has imported a file.
    _ = try await importFile(of: subject)
    return true
  }

  /// Prepares a name in braces that concerns activities: of the owner; `false` for any other.
  mutating func prepareActivity(_ name: String) async throws -> Bool {
    switch name {
    case "gpx": values[name] = Base64URL.encode(Self.run)
    case "activity", "activitySource":
      let id = try await importFile(of: world.cast.owner)
      let client = ActivitiesClient(try world.server("importer").client())
      let activity = try await client.getActivity(
        GetActivityRequest(activityID: id), try await world.cast.owner.options(at: world.identity))
      values["activity"] = id
      values["activitySource"] = try #require(activity.sources.first?.sourceID)
    case "sharedActivity", "activityShare", "activityShareToken":
      let id = try await importFile(of: world.cast.owner)
      // It is the same file each time, and no user shares an activity as often as those of this world do.
      try await world.sql("delete from importer.activity_shares")
      let client = ActivitiesClient(try world.server("importer").client())
      let made = try await client.shareActivity(
        ShareActivityRequest(activityID: id), try await world.cast.owner.options(at: world.identity))
      (values["sharedActivity"], values["activityShareToken"]) = (id, made.token)
      values["activityShare"] = made.share?.shareID
    default: return false
    }
    return true
  }

  private func importFile(of user: CastMember) async throws -> String {
    let client = ActivitiesClient(try world.server("importer").client())
    let done = try await client.importFile(try await user.options(at: world.identity)) { writer, responses in
      try await writer.send(ImportFileRequest(chunk: Self.run))
      writer.finish()
      return try await responses.reduce(FileImport?.none) { found, response in
        if case .result(let result) = response.step { result } else { found }
      }
    }
    return try #require(done?.activityIds.first)
  }

  /// A run of two kilometres, uphill.
  private static let run: [UInt8] = {
    let points = (0..<40).map { index in
      """
      <trkpt lat="\(51.5 + Double(index) * 0.00045)" lon="-0.12"><ele>\(10 + index)</ele>\
      <time>2025-06-01T08:\(10 + index):00Z</time></trkpt>
      """
    }
    let text = """
      <gpx creator="Watch"><trk><name>Run</name><type>running</type><trkseg>\(points.joined())</trkseg></trk></gpx>
      """
    return Array(text.utf8)
  }()
}
