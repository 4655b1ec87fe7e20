import FieldViolations
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Postgres
import TTRPC
import TandemImporter

extension Activities {
  /// One of the caller's activities with its simplified track and its splits ([IM-11]).
  package func getActivity(_ call: GetActivityRequest, _ context: CallContext) async throws -> Activity {
    let user = try context.userID
    var bad = Violations()
    let activityID = bad.activityID(call.activityID)
    let id = try bad.all(activityID)
    guard let row = try await database.first(ActivityOfUser(activityID: id, userID: user)) else {
      throw ActivityRefusal.noSuchActivity
    }
    let sources = try await database.rows(SourcesOfActivities(activityIDs: [id]))
    var activity = Activity(id, row.figure, sources)
    guard let best = try await database.first(BestTrack(activityID: id)) else { return activity }
    (activity.track, activity.splits) = try await operations.work.run(for: user) { thread in
      let outline = TrackCodec.decode(best.outline) ?? Track(points: [])
      let track = best.track.flatMap { TrackCodec.decode($0) }
      let splits = track.map { Progress($0, sport: best.sport, on: thread).splits(every: Self.splitMetres) } ?? []
      return (
        outline.points.compactMap { TandemImporter.TrackPoint($0) }, splits.map { TandemImporter.Split($0) }
      )
    }
    return activity
  }

  /// A kilometre.
  private static let splitMetres = 1_000.0
}
