import Foundation
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing

/// `tandem replay` as it is installed, against the services.
@Suite("replays of recorded tracks", .ownThreads, .timeLimit(.minutes(5)))
struct ReplayTests {
  private static let tracks = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/tracks").standardizedFileURL

  private static var hasTracks: Bool {
    FileManager.default.fileExists(atPath: tracks.appending(path: "INDEX.csv").path)
  }

  /// A file, and what is found in it: positions, those played, and the findings that are not zero.
  struct Track: Sendable {
    let file: String
    let positions: Int
    let planned: Int
    var findings: [String: Int] = [:]
  }

  /// Files of real recorders: of a car, with long pauses, with positions without time, with jumps, with clocks that stand or go back.
  private static let real = [
    Track(file: "gpx-gpxpy/around-visnjan-with-car.gpx", positions: 104, planned: 104),
    Track(file: "gpx-gpxpy/cerknicko-jezero.gpx", positions: 296, planned: 296, findings: ["shortenedPauses": 3]),
    Track(
      file: "gpx-gpxpy/Mojstrovka.gpx", positions: 184, planned: 183, findings: ["strayTimes": 1, "sameTime": 182]),
    Track(
      file: "gpx-gpxpy/korita-zbevnica.gpx", positions: 871, planned: 513,
      findings: ["withoutTime": 358, "shortenedPauses": 3]),
    Track(
      file: "gpx-tcx-togeojson/blue_hills.gpx", positions: 1_243, planned: 1_243,
      findings: ["clockSetBack": 1, "shortenedPauses": 4]),
    Track(
      file: "gpx-tcx-togeojson/osm.gpx", positions: 420, planned: 175,
      findings: ["withoutTime": 245, "sameTime": 57, "shortenedPauses": 1]),
    Track(file: "gpx-phpgpx/endomondo.gpx", positions: 5_181, planned: 5_181, findings: ["sameTime": 1]),
    Track(
      file: "gpx-opentracks/legacy_gpx_pause_resume.gpx", positions: 6, planned: 4, findings: ["offEarth": 2]),
  ]

  /// Runs the command to its end, or until `act` has ended it.
  private func replay(
    _ arguments: [String], _ environment: [String: String], _ act: (Process) async throws -> Void = { _ in }
  ) async throws -> (output: String, errors: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("tandem")
    process.arguments = ["replay"] + arguments
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["output", "errors"].map { folder.appending(path: $0) }
    for file in files { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try Children.start { try process.run() }
    try await act(process)
    try await until("the replay has ended") { !process.isRunning }
    return (
      try String(contentsOf: files[0], encoding: .utf8), try String(contentsOf: files[1], encoding: .utf8),
      process.terminationStatus
    )
  }

  /// Runs `body` with tracking, a group of members, and the options by which the command finds tracking.
  private func withTracking(
    _ count: Int = 2,
    _ body:
      @escaping @Sendable (TrackingSuite, LocationsClient, _ group: String, [ThreeServices.Member], [String])
      async throws -> Void
  ) async throws {
    try await TrackingSuite.with { suite in
      var joined: [ThreeServices.Member] = []
      for number in 0..<count { joined.append(try await suite.users.join("walker\(number)")) }
      let members = joined
      let group = try await suite.group(of: members)
      let tracking = try TrackingProcess(suite)
      defer { tracking.kill() }
      try await suite.withClient(of: tracking) { client in
        let locations = LocationsClient(client)
        try await suite.wait(for: locations, toShow: count, of: group, to: members[0])
        let options = [
          "--address", "127.0.0.1:\(tracking.port)", "--ca", suite.certificates.authorityFile, "--server-name",
          "tracking", "-o", "json",
        ]
        try await body(suite, locations, group, members, options)
      }
    }
  }

  @Test(
    "[TR-2] [TR-4] real recordings are played at once by a user each, with what is wrong in them",
    .enabled(if: hasTracks, "../shared/data/tracks is absent"))
  func realFiles() async throws {
    try await withTracking(Self.real.count) { _, locations, group, members, options in
      let files = Self.real.map { Self.tracks.appending(path: $0.file).path }
      let result = try await replay(
        files + ["--speed", "10000", "--times", "recorded", "--group", group] + options,
        ["TANDEM_TOKEN": members.map(\.token).joined(separator: " ")])
      #expect(result.status == 0, "\(result.errors)")
      let answers = try result.output.split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
      }
      #expect(answers.count == Self.real.count, "\(result.output)")
      for (track, answer) in zip(Self.real, answers) {
        #expect(answer["positions"] as? Int == track.positions, "\(track.file)")
        #expect(answer["planned"] as? Int == track.planned, "\(track.file)")
        #expect(answer["accepted"] as? Int == track.planned, "\(track.file): \(answer)")
        #expect(answer["groups"] as? Int == 1, "\(track.file)")
        let findings = (answer["findings"] as? [String: Int] ?? [:]).filter { $0.value > 0 }
        #expect(findings == track.findings, "\(track.file)")
      }
      let seen = try await locations.getMembers(GetMembersRequest(groupIds: [group]), members[1].options)
      let states = seen.groups.first?.members.map { $0.state == .inactive && $0.position != nil }
      #expect(states?.allSatisfy { $0 } == true, "everyone was seen, and sharing ended with the replay")
    }
  }

  /// A walk of a position a second to the north.
  private static func walk(_ count: Int) -> String {
    let points = (0..<count).map { second in
      let (minute, rest) = (second / 60, second % 60)
      return """
        <trkpt lat="\(52 + Double(second) / 100_000)" lon="13"><time>2025-11-02T07:\(minute < 10 ? "0" : "")\(minute):\
        \(rest < 10 ? "0" : "")\(rest)Z</time></trkpt>
        """
    }
    return "<gpx version=\"1.1\" creator=\"test\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  @Test("[TR-4] several users are played at once, and a viewer sees the last position of each")
  func severalUsers() async throws {
    try await withTracking { _, locations, group, members, options in
      let file = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID().uuidString).gpx")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(Self.walk(121).utf8).write(to: file)
      let result = try await replay(
        [file.path, file.path, "--speed", "200", "--group", group] + options,
        ["TANDEM_TOKEN": members.map(\.token).joined(separator: " ")])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.split(separator: "\n").allSatisfy { $0.contains("\"accepted\":121") }, "\(result.output)")
      let seen = try await locations.getMembers(GetMembersRequest(groupIds: [group]), members[1].options)
      #expect(seen.groups.first?.members.map { $0.position?.latitude } == [52.0012, 52.0012])
    }
  }

  @Test("Ctrl-C ends a replay: what was played is told, and sharing ends")
  func interrupted() async throws {
    try await withTracking { _, locations, group, members, options in
      let file = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID().uuidString).gpx")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(Self.walk(600).utf8).write(to: file)
      @Sendable func ada() async throws -> Member? {
        try await locations.getMembers(GetMembersRequest(groupIds: [group]), members[1].options)
          .groups.first?.members.first { $0.userID == members[0].id }
      }
      let result = try await replay(
        [file.path, "--group", group] + options, ["TANDEM_TOKEN": members[0].token]
      ) { process in
        try await until("the viewer sees the user") { try await ada()?.state == .active }
        try await until("a position was reported") { try await ada()?.position != nil }
        kill(process.processIdentifier, SIGINT)
      }
      #expect(result.status == 130 && result.output.contains("\"planned\":600"), "\(result)")
      #expect(try await ada()?.state == .inactive)
    }
  }

  @Test(
    "what cannot be played is refused with what to do",
    arguments: [
      (
        "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>", "have a time"
      ),
      (
        "<gpx><trk><trkseg><trkpt lat=\"north\" lon=\"2\"/></trkseg></trk></gpx>",
        "A point has no number as lat or lon (line 1)"
      ),
      ("{}", "not well-formed XML"), ("<html/>", "The file is no GPX"),
    ])
  func refused(_ text: String, _ reason: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "bad-\(UUID().uuidString).gpx")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let result = try await replay([file.path], ["TANDEM_TOKEN": "x"])
    #expect(
      result.status == 1 && result.errors.contains(reason) && result.errors.contains("; give"), "\(result.errors)")
  }

  @Test("a replay without a user, with one user for two files, or of no file says what is missing")
  func usage() async throws {
    #expect(try await replay(["a.gpx"], [:]).errors.contains("name the user by --as"))
    #expect(try await replay(["a.gpx", "b.gpx", "--as", "ada"], [:]).errors.contains("say --as once for each"))
    #expect(try await replay(["a.gpx", "--as", "ada"], [:]).errors.contains("put it into TANDEM_PASSWORD"))
    let missing = try await replay(["/none.gpx"], ["TANDEM_TOKEN": "x"])
    #expect(
      missing.status == 2 && missing.errors.contains("/none.gpx cannot be read: No such file"), "\(missing.errors)")
  }
}
