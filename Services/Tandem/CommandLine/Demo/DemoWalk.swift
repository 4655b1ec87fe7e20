import Environment
import Glibc
import Identifiers
import Reflection
import TTRPC
import TandemIdentity
import TandemTracking

/// The walkers of the demonstration, who meet, part and meet again: recordings that are replayed as `tandem replay` does it, there and back, for
/// ever.
struct DemoWalk: Sendable {
  let demo: Demo
  let group: String
  /// One for each walker.
  let plans: [ReplayPlan]

  /// The most walkers: the others of the people are at home.
  static let maxWalkers = 3

  /// What is replayed: the files, or the recordings of our own where none is named.
  ///
  /// - Throws: a complaint about a file that cannot be played.
  static func plans(of files: [String]) async throws -> [ReplayPlan] {
    var plans: [ReplayPlan] = []
    for file in files { plans.append(try await plan(.file(file))) }
    guard plans.isEmpty else { return plans }
    for track in DemoTrack.walks {
      plans.append(try await plan(.text(track.gpx(named: "Walk", type: "walking", from: SystemClock().now))))
    }
    return plans
  }

  private static func plan(_ source: Recording.Source) async throws -> ReplayPlan {
    let plan = ReplayPlan(try await Recording(source), maxPause: .seconds(60))
    guard plan.steps.count > 1 else {
      throw Complaint(usage: "fewer than two track points of a recording have a time: a walker needs a way")
    }
    return plan
  }

  /// Until the task is cancelled.
  ///
  /// - Throws: where a walker cannot go on, such as after the people were removed.
  func run() async throws {
    var isWayBack = false
    while true {
      try await withThrowingTaskGroup(of: Void.self) { walkers in
        for (index, plan) in plans.enumerated() {
          let way = isWayBack ? plan.reversed : plan
          walkers.addTask { try await walk(way, as: DemoPeople.names[index], isJourney: index == 0) }
        }
        try await walkers.waitForAll()
      }
      isWayBack.toggle()
    }
  }

  private func walk(_ plan: ReplayPlan, as name: String, isJourney: Bool) async throws {
    let user = try await ReplayUser(
      name: name, password: DemoPeople.password,
      accounts: AccountsClient(try demo.tour.client(of: Tour.accounts).connection),
      locations: LocationsClient(try demo.tour.client(of: Tour.locations).connection))
    if isJourney {
      try await startJourney(plan, as: name)
    } else {
      try await user.share(with: [group])
    }
    try await ReplayPlayer(user: user, plan: plan, speed: 1, times: .live).play()
    try await user.leave(isJourney ? [] : [group])
  }

  /// One of them says where the way ends, and when.
  private func startJourney(_ plan: ReplayPlan, as name: String) async throws {
    guard let token = try await demo.token(of: name), let end = plan.steps.last?.place else {
      throw Complaint("\(name) is not there any more")
    }
    // The one before ends with its arrival, but for a walk that was cut short.
    do { _ = try await demo.tour.request(Tour.journeys, "StopJourney", [:], token: token) } catch is Status {}
    try await demo.call(
      Tour.journeys, "StartJourney",
      [
        "groupIds": .array([.string(group)]),
        "destination": .members(["latitude": .number("\(end.latitude)"), "longitude": .number("\(end.longitude)")]),
        "arrivalTime": .string("\(SystemClock().now + plan.duration + .seconds(120))"),
        "mode": .string("TRAVEL_MODE_WALKING"),
      ], token: token)
    try await demo.call(Tour.accounts, "Logout", [:], token: token)
  }
}
