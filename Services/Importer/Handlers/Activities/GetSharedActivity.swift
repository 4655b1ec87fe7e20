import Cryptography
import GoogleType
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import LinkMisses
import TTRPC
import TandemImporter

extension Activities {
  /// The figures of the activity that a link shares, for any client that has the link ([CA-15]).
  package func getSharedActivity(
    _ call: GetSharedActivityRequest, _ context: CallContext
  ) async throws -> SharedActivity {
    guard let hash = SecretToken(call.token)?.hash,
      let activity = try await database.first(SharedActivityByToken(tokenHash: hash))
    else {
      try await misses.count(context)
      throw ActivityRefusal.noSuchShare
    }
    let day = try await day(of: activity.startedAt, in: activity.timeZone)
    return SharedActivity(
      sport: activity.sport.wire, startDate: day.wire, durationS: activity.durationS, movingS: activity.movingS ?? 0,
      distanceM: activity.distanceM ?? 0,
      preview: SharePreview(
        title: ActivityPreview.title(activity.sport, metres: activity.distanceM),
        text: ActivityPreview.text(day, seconds: activity.durationS), picture: "activity"))
  }

  /// The day that it was where the activity started; in UTC if its zone is not known.
  private func day(of moment: Instant, in zone: String) async throws -> CivilDate {
    if let offset = ActivityPreview.offset(zone) { return Self.day(of: moment + offset) }
    guard try await zones.isKnown(zone),
      let day = try await database.first(DayInZone(moment: moment, zone: zone))
    else { return Self.day(of: moment) }
    return day
  }

  private static func day(of moment: Instant) -> CivilDate {
    CivilDate(daysSince1970: Int((Double(moment.wholeSeconds) / 86_400).rounded(.down)))
  }
}
