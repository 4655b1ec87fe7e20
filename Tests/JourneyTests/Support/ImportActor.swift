import TTRPC
import TestSupport

/// A user who connects a tracker, then uploads files and imports again and again; when one has begun as many imports as an hour allows, another user
/// joins, for as long as the run goes on.
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
  /// Uploads and imports of a user, in turns: fewer imports than the 20 that may be begun within an hour.
  private static let rounds = 30
  private static let pace = Duration.seconds(4)

  /// Acts until the run ends, and what was begun has ended.
  func act(as first: ThreeServices.Member, _ uploads: Gathered<Uploads>) async throws {
    var (member, number) = (first, 0)
    while true {
      uploads.add(try await act(as: member))
      guard run.goesOn else { return }
      number += 1
      member = try await suite.joinPatiently("\(first.name).\(number)")
      run.acknowledge(.accounts)
    }
  }

  private func act(as first: ThreeServices.Member) async throws -> Uploads {
    var (member, files, round, isConnected) = (first, 0, 0, false)
    repeat {
      do {
        if !isConnected {
          try await user.connect(member.token)
          isConnected = true
          run.acknowledge(.imports, Self.pages * Self.pageSize)
        } else if round % 2 == 0 {
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
      } catch let status as Status { run.surprises.add("imports: \(status)") }
    } while try await run.pause(Self.pace) && round < Self.rounds
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
