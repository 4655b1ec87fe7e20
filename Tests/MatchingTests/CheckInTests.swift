import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("check-ins")
struct CheckInTests {
  /// Microseconds after the start.
  private static let moments: [(Int, Bool)] = [
    (-900_000_000, true), (-901_000_000, false), (-900_000_001, false), (900_000_000, true), (901_000_000, false),
    (900_000_001, false), (0, true),
  ]

  @Test(
    "[MA-8] the window is from 15:00 before the start to 15:00 after it, both ends inclusive", arguments: Self.moments)
  func window(microseconds: Int, isInside: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      // The judgement is not to come before the check-in.
      try await matching.sql("delete from jobs")
      try await matching.advance(to: Duration.seconds(7_200) + Duration.microseconds(microseconds))
      if isInside {
        #expect(try await matching.checkIn(session, as: .ada).owner?.checkInTime == matching.clock.now.timestamp)
      } else {
        let refused = try await refusal { try await matching.checkIn(session, as: .ada) }
        #expect(refused.code == .failedPrecondition && refused.reason == "OUTSIDE_CHECK_IN_WINDOW")
      }
    }
  }

  @Test(
    "[MA-8] 10.0 m from the circle of 25 m around a point is near enough beside an accuracy of 5 m, 10.1 m is too far, and the distance is told",
    arguments: [(39.999_99, true), (40.000_01, false), (40.1, false), (2_000.0, false)])
  func distance(metres: Double, isNear: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      let point = TestGym.raffles.north(metres)
      if isNear {
        try await matching.checkIn(session, as: .ada, at: point)
      } else {
        let refused = try await refusal { try await matching.checkIn(session, as: .ada, at: point) }
        #expect(refused.code == .failedPrecondition && refused.reason == "TOO_FAR")
        let told = try #require(Double(refused.errorInfo?.metadata["distance_m"] ?? ""))
        #expect(abs(told - (metres - 25)) <= 0.11)
      }
    }
  }

  @Test(
    "[MA-8] within a building's outline is 0 m, at its wall 10 m and the accuracy are allowed, whatever the radius is",
    arguments: [
      // Metres north of the middle of a square of 200 m.
      (0.0, 5.0, true), (99.0, 25.0, true), (114.9, 5.0, true), (115.1, 5.0, false), (134.9, 25.0, true),
      (135.1, 25.0, false),
    ])
  func outline(metres: Double, accuracy: Double, isNear: Bool) async throws {
    try await RunningMatching.with { matching in
      let gym = TestGym.raffles
      let (north, south) = (gym.north(100).latitude, gym.north(-100).latitude)
      let east = (north - gym.point.latitude) / 0.999_7
      let corners = [(north, east), (north, -east), (south, -east), (south, east), (north, east)]
      matching.neighbours.gyms.withLock {
        $0[gym.id.description]?.outline = corners.map {
          .init(latitude: $0.0, longitude: gym.point.longitude + $0.1)
        }
      }
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      if isNear {
        try await matching.checkIn(session, as: .ada, at: gym.north(metres), accuracy: accuracy)
      } else {
        let refused = try await refusal {
          try await matching.checkIn(session, as: .ada, at: gym.north(metres), accuracy: accuracy)
        }
        #expect(refused.reason == "TOO_FAR")
      }
    }
  }

  @Test("[MA-8] an operator's radius counts, and a session of a series keeps what its gym was like")
  func radius() async throws {
    try await RunningMatching.with { matching in
      let gym = TestGym.raffles
      matching.neighbours.gyms.withLock { $0[gym.id.description]?.radiusM = 80 }
      let session = try await matching.post()
      try await matching.repeated(session)
      try await matching.join(session)
      try await matching.advance(to: .seconds(120 * 60))
      try await matching.checkIn(session, as: .ada, at: gym.north(94), accuracy: 5)
      #expect(
        try await refusal { try await matching.checkIn(session, as: .grace, at: gym.north(96)) }.reason == "TOO_FAR")
      try await matching.settled()
      #expect(try await matching.sql("select gym_radius_m::text from sessions") == [["80"], ["80"]])
    }
  }

  @Test(
    "[MA-8] a fix of 25 m is accurate enough, one of 25.1 m is not",
    arguments: [(25.0, true), (25.1, false), (1e9, false)])
  func accuracy(metres: Double, isEnough: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      if isEnough {
        try await matching.checkIn(session, as: .ada, accuracy: metres)
      } else {
        let refused = try await refusal { try await matching.checkIn(session, as: .ada, accuracy: metres) }
        #expect(refused.code == .failedPrecondition && refused.reason == "LOCATION_TOO_INACCURATE")
      }
    }
  }

  @Test("[MA-8] [C-2] positions beyond the Earth and accuracies that are none are named together")
  func badFix() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      for (latitude, longitude) in [(90.1, 0), (0, 180.1), (.nan, 0), (0, .infinity)] as [(Double, Double)] {
        for accuracy in [0, -1, .nan, .infinity] as [Double] {
          let refused = try await refusal {
            try await matching.checkIn(
              session, as: .ada, at: .init(latitude: latitude, longitude: longitude), accuracy: accuracy)
          }
          #expect(refused.fieldReasons == ["POINT_INVALID", "ACCURACY_INVALID"])
        }
      }
      let without = try await refusal { try await matching.checkIn(session, as: .ada, at: nil) }
      #expect(without.fieldReasons == ["POINT_REQUIRED"])
    }
  }

  @Test("[MA-8] at a pole every longitude is the same place")
  func pole() async throws {
    try await RunningMatching.with { matching in
      let gym = TestGym(9, 90, 0)
      matching.open(gym)
      let session = try await matching.match(RunningMatching.request(at: gym))
      try await matching.advance(to: .seconds(120 * 60))
      try await matching.checkIn(session, as: .ada, at: .init(latitude: 90, longitude: -135))
    }
  }

  @Test("[MA-8] an unmatched session, a stranger, and a session that is over are refused")
  func refusals() async throws {
    try await RunningMatching.with { matching in
      let open = try await matching.post()
      try await matching.advance(to: .seconds(120 * 60))
      #expect(try await refusal { try await matching.checkIn(open, as: .ada) }.reason == "NOT_MATCHED")
      #expect(try await refusal { try await matching.checkIn(open, as: .grace) }.reason == "SESSION_NOT_FOUND")
      try await matching.advance(to: .seconds(136 * 60))
      try await matching.settled()
      #expect(try await refusal { try await matching.checkIn(open, as: .ada) }.reason == "SESSION_OVER")
    }
  }

  @Test("[MA-9] the first check-in reminds the partner, the second makes the session successful and tells both")
  func success() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(115 * 60))
      let first = try await matching.checkIn(session, as: .ada)
      #expect(first.state == .matched && first.owner?.checkInTime != nil)
      #expect(try await matching.checkIn(session, as: .ada).etag == first.etag, "again has no effect")
      var notices = try await matching.told(NotificationRequested.self)
        .filter { if case .partnerCheckedIn = $0.news { true } else { false } }
      #expect(notices.map(\.recipientIds) == [[TestUser.grace.id.description]])
      guard case .partnerCheckedIn(let meeting) = notices.first?.news else {
        Issue.record("another notification")
        return
      }
      #expect(meeting.partnerID == TestUser.ada.id.description && meeting.gym == "Gym")

      let second = try await matching.checkIn(session, as: .grace)
      #expect(second.state == .successful && second.partner?.checkInTime != nil && !second.finished)
      notices = try await matching.told(NotificationRequested.self).filter {
        if case .sessionStarted = $0.news { true } else { false }
      }
      #expect(Set(notices.flatMap(\.recipientIds)) == [TestUser.ada.id.description, TestUser.grace.id.description])
      #expect(try await matching.told(SessionSucceeded.self).isEmpty, "it has not lasted")
      #expect(try await matching.told(SessionStarted.self).count == 1)
      let checkIns = try await matching.told(CheckedIn.self)
      #expect(checkIns.map(\.gymID) == Array(repeating: TestGym.raffles.id.description, count: 2))
      #expect(checkIns.map(\.endTime) == [session.endTime, session.endTime])
    }
  }
}

extension NotificationRequested {
  /// The content of a reminder an hour before.
  var reminder: Meeting? {
    if case .sessionReminder(let meeting) = news { meeting } else { nil }
  }
}
