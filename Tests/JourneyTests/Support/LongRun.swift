import Foundation
import Synchronization
import TTRPC
import TestSupport

/// How long everything goes on at once, and what was acknowledged and killed so far.
final class LongRun: Sendable {
  /// Who writes.
  enum Mix: String, CaseIterable, Sendable {
    case accounts
    case groups
    case loans
    case sessions
    case positions
    case chat
    case imports
  }

  private struct Counts {
    var writes: [Mix: Int] = [:]
    var kills: [String: Int] = [:]
  }

  /// How long the whole may last; `nil` where it is not asked for.
  static let minutes = number("CHAOS_MINUTES_OF_ALL")

  static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  /// How long users act.
  let duration: Duration
  /// When users stop; afterwards what was begun ends, and everything is checked.
  let end: ContinuousClock.Instant
  /// Failures that no kill explains.
  let surprises = Gathered<String>()
  private let start = ContinuousClock.now
  private let counts = Mutex(Counts())

  init(_ duration: Duration) { (self.duration, end) = (duration, start + duration) }

  var goesOn: Bool { ContinuousClock.now < end }

  /// Counts acknowledged writes: each is a row that the user was told is stored, or a change of one.
  func acknowledge(_ mix: Mix, _ count: Int = 1) { counts.withLock { $0.writes[mix, default: 0] += count } }

  /// Sets how many writes of a mix were acknowledged so far.
  func set(_ mix: Mix, _ count: Int) { counts.withLock { $0.writes[mix] = count } }

  /// Counts a kill of a program, or of the database server.
  func kill(_ part: String) { counts.withLock { $0.kills[part, default: 0] += 1 } }

  var writes: Int { counts.withLock { $0.writes.values.reduce(0, +) } }

  var kills: Int { counts.withLock { $0.kills.values.reduce(0, +) } }

  func writes(of mix: Mix) -> Int { counts.withLock { $0.writes[mix] ?? 0 } }

  /// A line of figures.
  var summary: String {
    let (counts, seconds) = (counts.withLock { $0 }, max(1, Int((.now - start) / .seconds(1))))
    let mixes = Mix.allCases.map { "\($0.rawValue) \(counts.writes[$0] ?? 0)" }.joined(separator: ", ")
    let kills = counts.kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let (writes, killed) = (counts.writes.values.reduce(0, +), counts.kills.values.reduce(0, +))
    return "\(seconds) s, \(writes) writes (\(writes / seconds) a second: \(mixes)), \(killed) kills (\(kills))"
  }

  /// Prints a line at once, although the output is a file.
  static func say(_ line: String) {
    print("chaos: \(line)")
    fflush(nil)
  }

  /// Waits for so long, or until users stop, whichever comes first; returns whether they go on.
  func pause(_ duration: Duration) async throws -> Bool {
    let until = min(ContinuousClock.now + duration, end)
    // The pace of users; nothing waits for it.
    try await Task.sleep(until: until)
    return goesOn
  }

  /// Makes a call until it is answered, as a user who logs in again where the token has expired.
  ///
  /// - Throws: a status that no kill explains.
  func patiently<R: Sendable>(
    _ member: inout ThreeServices.Member, of users: ThreeServices, _ call: (CallOptions) async throws -> R
  ) async throws -> R {
    while true {
      do { return try await call(.token(member.token, timeout: .seconds(10))) } catch let status as Status {
        if status.code == .unauthenticated {
          member = try await users.loginAgain(member)
        } else if status.isPassing {
          // What was killed is started again soon; the pause is not measured.
          try await Task.sleep(for: .milliseconds(50))
        } else {
          throw status
        }
      }
    }
  }
}
