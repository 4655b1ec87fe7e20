import Environment
import Glibc
import Identifiers
import Reflection
import TTRPC
import TandemIdentity
import TandemTracking

/// The walkers of the demonstration, who meet, part and meet again: what `tandem replay` plays, for ever.
struct DemoWalk: Sendable {
  let demo: Demo
  let group: String

  /// Until the task is cancelled.
  ///
  /// - Throws: where a walker cannot go on, such as after the people were removed.
  func run() async throws {
    var isWayBack = false
    while true {
      try await withThrowingTaskGroup(of: Void.self) { walkers in
        for (index, track) in DemoTrack.walks.enumerated() {
          let way = isWayBack ? track.reversed : track
          walkers.addTask { try await walk(way, as: DemoPeople.names[index], isJourney: index == 0) }
        }
        try await walkers.waitForAll()
      }
      isWayBack.toggle()
    }
  }

  private func walk(_ track: DemoTrack, as name: String, isJourney: Bool) async throws {
    let gpx = track.gpx(named: name, type: "walking", from: SystemClock().now)
    let plan = ReplayPlan(try await Recording(.text(gpx)), maxPause: .seconds(60))
    let user = try await ReplayUser(
      name: name, password: DemoPeople.password,
      accounts: AccountsClient(try demo.tour.client(of: Tour.accounts).connection),
      locations: LocationsClient(try demo.tour.client(of: Tour.locations).connection))
    if isJourney {
      try await startJourney(track, plan.duration, as: name)
    } else {
      try await user.share(with: [group])
    }
    try await ReplayPlayer(user: user, plan: plan, speed: 1, times: .live).play()
    try await user.leave(isJourney ? [] : [group])
  }

  /// One of them says where the way ends, and when.
  private func startJourney(_ track: DemoTrack, _ duration: Duration, as name: String) async throws {
    guard let token = try await demo.token(of: name), let end = track.corners.last else {
      throw Complaint("\(name) is not there any more")
    }
    // The one before ends with its arrival, but for a walk that was cut short.
    do { _ = try await demo.tour.request(Tour.journeys, "StopJourney", [:], token: token) } catch is Status {}
    try await demo.call(
      Tour.journeys, "StartJourney",
      [
        "groupIds": .array([.string(group)]),
        "destination": .members(["latitude": .number("\(end.latitude)"), "longitude": .number("\(end.longitude)")]),
        "arrivalTime": .string("\(SystemClock().now + duration + .seconds(120))"),
        "mode": .string("TRAVEL_MODE_WALKING"),
      ], token: token)
    try await demo.call(Tour.accounts, "Logout", [:], token: token)
  }
}
