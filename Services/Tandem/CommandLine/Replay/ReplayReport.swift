import Glibc
import Reflection

/// What a replay says of itself.
enum ReplayReport {
  /// Before it begins: what is played, and what of the recording is left out or changed.
  static func lines(_ plan: ReplayPlan, of file: String, as user: String, speed: Double) -> [String] {
    let found = plan.findings
    var lines = [
      "\(user) plays \(file): \(plan.steps.count) of \(found.positions) positions, \(clock(plan.duration)) in "
        + "\(clock(plan.duration * (1 / speed)))"
    ]
    let notes = [
      (found.withoutTime, "left out: they have no time, and are not between two of a segment that have one"),
      (found.offEarth, "left out: their coordinates are not on Earth"),
      (found.strayTimes, "left out: their time is out of line with those before and after"),
      (found.interpolated, "without a time: played between their neighbours, by the distance"),
      (found.sameTime, "with the time of the one before: played a little later"),
      (found.clockSetBack, "times the clock went back: played on from there"),
      (found.shortenedPauses, "pauses shortened to --max-pause"),
    ]
    lines += notes.filter { $0.0 > 0 }.map { "  \($0.0) \($0.1)" }
    let unbelievable = plan.unbelievable(at: speed)
    if unbelievable > 0 {
      lines.append(
        "  \(unbelievable) faster than 340 m/s at this speed: tracking may not believe them; a lower --speed, or --times recorded, "
          + "leaves those that the recording has at its own speed, \(plan.unbelievable(at: 1))")
    }
    return lines
  }

  /// On a terminal, in one line; the time left is that of the slowest.
  static func progress(_ players: [ReplayPlayer]) -> String {
    players.map { player in
      let progress = player.progress
      let share = progress.total > 0 ? progress.sent * 100 / progress.total : 100
      return "\(player.user.name) \(share) % (\(progress.sent) of \(progress.total))"
    }.joined(separator: "  ")
  }

  /// At the end.
  static func line(_ progress: ReplayPlayer.Progress, of user: String) -> String {
    let refused = progress.refused.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }.joined()
    let rest = progress.total - progress.sent
    let seen = progress.groups == 1 ? "1 group" : "\(progress.groups) groups"
    return
      "\(user): \(progress.accepted) positions accepted\(refused)\(rest > 0 ? ", \(rest) not sent" : ""); seen by \(seen)"
  }

  /// At the end, for programs.
  static func json(_ player: ReplayPlayer, of file: String) -> JSONValue {
    let (progress, found) = (player.progress, player.plan.findings)
    return .members([
      "file": .string(file), "user": .string(player.user.name), "positions": .integer(found.positions),
      "planned": .integer(progress.total), "sent": .integer(progress.sent), "accepted": .integer(progress.accepted),
      "refused": .object(progress.refused.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer($0.value)) }),
      "groups": .integer(progress.groups),
      "findings": .members([
        "withoutTime": .integer(found.withoutTime), "offEarth": .integer(found.offEarth),
        "strayTimes": .integer(found.strayTimes), "interpolated": .integer(found.interpolated),
        "sameTime": .integer(found.sameTime), "clockSetBack": .integer(found.clockSetBack),
        "shortenedPauses": .integer(found.shortenedPauses),
      ]),
    ])
  }

  /// `1:02:03`, or `2:03` for less than an hour.
  static func clock(_ duration: Duration) -> String {
    let seconds = Int(duration.seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let hours = seconds / 3_600
    let rest = seconds % 3_600
    return hours > 0 ? "\(hours):\(two(rest / 60)):\(two(rest % 60))" : "\(rest / 60):\(two(rest % 60))"
  }
}
