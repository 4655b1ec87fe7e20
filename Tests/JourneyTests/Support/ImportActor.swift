import TTRPC
import TestSupport

/// A user who connects a tracker, then uploads files and imports again and again for as long as the run goes on.
struct ImportActor: Sendable {
  let run: LongRun
  let suite: ThreeServices
  let user: ImportingUser

  /// How many files a user has uploaded.
  struct Uploads: Sendable {
    let user: String
    let files: Int
  }

  /// Of the tracker.
  static let pages = 6
  static let pageSize = 5
  /// How many different files there are.
  private static let files = 336
  private static let pace = Duration.seconds(4)
  /// After which a user logs in again: half the lifetime of a token.
  private static let freshness = Duration.seconds(300)

  /// Acts until the run ends, and what was begun has ended.
  func act(as member: ThreeServices.Member) async throws -> Uploads {
    var (member, loggedIn, files, round) = (member, ContinuousClock.now, 0, 0)
    var isConnected = false
    repeat {
      if .now - loggedIn > Self.freshness {
        member = try await suite.loginAgain(member)
        loggedIn = .now
      }
      do {
        if !isConnected {
          try await user.connect(member.token)
          isConnected = true
          run.acknowledge(.imports, Self.pages * Self.pageSize)
        } else if round % 2 == 0, files < Self.files {
          try await user.upload(UploadedOuting.gpx(files), member.token)
          files += 1
          run.acknowledge(.imports)
        } else {
          try await user.importAgain(member.token)
          run.acknowledge(.imports)
        }
        round += 1
      } catch let status as Status where status.code == .unauthenticated {
        member = try await suite.loginAgain(member)
        loggedIn = .now
      } catch let status as Status { run.surprises.add("imports: \(status)") }
    } while try await run.pause(Self.pace)
    return Uploads(user: member.id, files: files)
  }

  /// A line for each user of whom an activity is lost or there twice, and for each import that lost a page or stored it twice.
  static func complaints(_ uploads: [Uploads], _ suite: ThreeServices) async throws -> [String] {
    let fetched = pages * pageSize
    let rows = try await suite.sql(
      """
      select user_id, count(*) filter (where provider = 'strava'), count(*) filter (where provider = 'file'),
        count(distinct activity_id), count(distinct external_id)
      from importer.activity_sources group by user_id
      """)
    let stored = Dictionary(rows.map { ($0[0] ?? "", $0.dropFirst().map { $0 ?? "" }) }) { $1 }
    let lost = uploads.compactMap { one -> String? in
      let expected = ["\(fetched)", "\(one.files)", "\(fetched + one.files)", "\(fetched + one.files)"]
      return stored[one.user] == expected
        ? nil : "activities of \(one.user): \(stored[one.user] ?? []), not \(expected)"
    }
    let ended = try await suite.sql(
      """
      select id || ': ' || state || ', ' || activity_count || ' activities' from importer.tracker_imports
      where activity_count <> \(fetched) or state <> 'SUCCEEDED'
      """)
    let repeated = try await suite.sql(
      "select key from importer.events where type like '%ActivityStored' group by payload, key having count(*) > 1")
    let told = try await suite.value("select count(*) from importer.events where type like '%ActivityStored'")
    let all = uploads.reduce(0) { $0 + fetched + $1.files }
    return lost + ended.map { "an import is \($0[0] ?? "")" }
      + repeated.map { "an activity of \($0[0] ?? "") was told of twice" }
      + (told == "\(all)" ? [] : ["\(told ?? "") activities were told of, not \(all)"])
  }

  /// Imports and jobs that have not ended.
  static let unsettled = """
    select id::text from importer.tracker_imports where state in ('GATHERING', 'IMPORTING')
    union all
    select id::text from importer.jobs where kind like 'import_pages%'
    """
}
