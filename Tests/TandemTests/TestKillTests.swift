import Glibc
import Reflection
import TestSupport
import Testing

@testable import tandem

/// Suites for tests whose processes are killed while they start; `make chaos` does so at fifty moments of the whole start.
@Suite("35: killed at any moment, a suite for tests leaves nothing", .ownThreads, .timeLimit(.minutes(60)))
struct TestKillTests {
  private static let kills = environment("CHAOS_SUITE_KILLS").flatMap { Int($0) }
  private static let fewKills = 2
  /// Of a start whose time is not measured: what a start takes at the least.
  private static let shortStart = Duration.seconds(2)

  @Test("no process, folder, database or role, whichever process is killed, and whichever way the suite was started")
  func killed() async throws {
    let cluster = try PrivateCluster.start()
    var times: [KilledStart.Server: Duration] = [:]
    for number in 0..<(Self.kills ?? Self.fewKills) {
      let start = try KilledStart(number, of: Self.kills ?? Self.fewKills, cluster)
      if Self.kills != nil, times[start.server] == nil { times[start.server] = try start.time() }
      print("suites for tests: kill \(number + 1), \(start)")
      fflush(nil)

      try start.kill(ofWhole: times[start.server] ?? Self.shortStart)

      let place = start.place
      if start.leavesNoJanitor {
        #expect(try place.eventually { place.processes.isEmpty }, "\(start): \(place.remains)")
        try await place.awaitEndOfSessions(on: cluster)
        // There is no process that could remove anything: the next start does.
        #expect(try place.start("ada", start.arguments).tandem("test", "stop").status == 0)
      }
      #expect(try place.eventually { place.isEmpty }, "\(start): \(place.remains)")
      #expect(try await place.remnants(on: cluster) == [], "\(start)")
    }
    print("suites for tests: all were killed, of starts that take \(times)")
  }
}

/// A start of a suite, which processes of which are killed when.
private struct KilledStart: CustomStringConvertible {
  enum Victim: CaseIterable {
    /// `tandem test start`, or `run`.
    case starter
    /// The suite's own process.
    case server
    /// That one, and the one that removes what it leaves.
    case serverAndJanitor
    case all
  }

  /// Where the suite has its database.
  enum Server: CaseIterable {
    case own, shared
    /// The suite's own, and these programs have no prepared database yet.
    case unprepared
  }

  /// The last moments are after the start, while a suite runs.
  private static let share = 1.1

  let place: TestPlace
  let server: Server
  let arguments: [String]
  private let victim: Victim
  private let signal: CInt
  private let isRun: Bool
  private let part: Double

  /// Numbers in a row meet in every combination, at moments that are spread over the whole start.
  init(_ number: Int, of count: Int, _ cluster: PrivateCluster) throws {
    server = Server.allCases[number % Server.allCases.count]
    victim = Victim.allCases[number % Victim.allCases.count]
    signal = number / Victim.allCases.count % 2 == 0 ? SIGKILL : SIGTERM
    isRun = number % 5 == 0
    part = Self.share * Double(number) / Double(count)
    place = try TestPlace(isPrepared: server != .unprepared)
    arguments = server == .shared ? ["--database-url", cluster.url] : []
  }

  var description: String {
    "signal \(signal) for \(victim) of \(isRun ? "run" : "start"), database \(server), at \(Int(part * 100)) % of the start"
  }

  /// Whether what the suite leaves has no process that removes it.
  var leavesNoJanitor: Bool { victim == .serverAndJanitor || victim == .all }

  /// How long it takes when nothing is killed.
  func time() throws -> Duration {
    if server == .own { try warmUp() }
    let begin = ContinuousClock.now
    let suite = try place.start("ada", arguments)
    let time = ContinuousClock.now - begin
    #expect(try suite.tandem("test", "stop").status == 0)
    if server == .unprepared { try place.forgetPrepared() }
    return time
  }

  /// The first start of these programs prepares a database.
  private func warmUp() throws { #expect(try place.start("ada").tandem("test", "stop").status == 0) }

  /// Starts the suite, kills the victims, and waits for the end of the command.
  func kill(ofWhole time: Duration) throws {
    let way = isRun ? ["run"] : ["start", "--json"]
    let started = try place.tandem(
      ["test"] + way + ["--users", "ada"] + arguments + (isRun ? ["--", "/bin/sleep", "600"] : []))
    // The moment is what this is about.
    usleep(UInt32(time * part / .microseconds(1)))
    for pid in place.processes where isHit(pid, starter: started.pid) { Glibc.kill(pid, signal) }
    // A command goes on though its suite was killed.
    if isRun { started.signal(SIGKILL) }
    let told = started.finish().output
    // Where the victim had ended before, there is a suite, which ends as on any day.
    if let home = try? JSONValue(parsing: told)["home"]?.string {
      _ = try place.tandem(["test", "stop"], home: home).finish()
    }
  }

  private func isHit(_ pid: pid_t, starter: pid_t) -> Bool {
    let words = (Files.text("/proc/\(pid)/cmdline") ?? "").split(separator: "\0")
    let isServer = words.contains("serve")
    return switch victim {
    case .starter: pid == starter
    case .server: isServer
    case .serverAndJanitor: isServer || words.contains("remove")
    case .all: true
    }
  }
}
