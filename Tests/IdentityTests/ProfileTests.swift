import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

extension Profile {
  /// A profile that may be made.
  static let complete = Profile(
    gender: .female, dateOfBirth: .init(year: 1990, month: 12, day: 10), level: .advanced,
    interests: ["RUNNING", "READING"], strengths: ["ENDURANCE"], timeZone: "Asia/Singapore",
    contact: ContactInformation(phone: "+6561234567"))
}

@Suite("profiles", .timeLimit(.minutes(5)))
struct ProfileTests {
  @Test("[ID-20] a gym part is made once; others read it with an age in place of the date of birth")
  func creates() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      let call = CreateProfileRequest(profile: .complete)

      let made = try await identity.profiles.createProfile(call, .user(ada))
      let again = try await refusal { try await identity.profiles.createProfile(call, .user(ada)) }
      let read = try await identity.profiles.getProfile(GetProfileRequest(username: "ADA"), .user(grace))

      #expect(made.userID == ada.userID && made.username == "ada" && made.contact?.email == "ada@example.com")
      #expect(made.interests == ["RUNNING", "READING"] && made.level == .advanced && made.gender == .female)
      #expect(made.createTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(again.code == .alreadyExists && again.reason == "GYM_PROFILE_EXISTS")
      #expect(made.dateOfBirth == .init(year: 1990, month: 12, day: 10) && made.age == 35 && made.hasGymProfile)
      var expected = made
      expected.dateOfBirth = nil
      #expect(read == expected)
      #expect(try await identity.value("select date_of_birth from profiles where gender is not null") == "1990-12-10")
    }
  }

  @Test("[ID-20] what is not in the fixed lists is refused, all at once")
  func refusesUnknown() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let profile = Profile(
        level: .unspecified, interests: ["RUNNING", "SLEEPING"], strengths: ["running"], timeZone: "Mars/Olympus",
        contact: ContactInformation(phone: "12345"))

      let status = try await refusal {
        try await identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
      }

      #expect(status.code == .invalidArgument)
      #expect(
        status.fieldReasons == [
          "GENDER_REQUIRED", "DATE_OF_BIRTH_INVALID", "LEVEL_REQUIRED", "INTEREST_UNKNOWN", "STRENGTH_UNKNOWN",
          "TIME_ZONE_INVALID", "PHONE_INVALID",
        ])
      #expect(try await identity.value("select count(*) from profiles where gender is not null") == "0")
    }
  }

  @Test("[ID-20] the options list every level with its guide, and experienced is ADVANCED or above")
  func options() async throws {
    try await RunningIdentity.with { identity in
      let options = try await identity.profiles.listProfileOptions(ListProfileOptionsRequest())

      #expect(options.genders.map(\.gender) == [.male, .female, .other])
      #expect(options.levels.map(\.level) == [.novice, .beginner, .intermediate, .advanced, .expert])
      #expect(options.levels.map(\.experienced) == [false, false, false, true, true])
      for level in options.levels { #expect(level.guide.contains("experienced") == level.experienced) }
      #expect(options.interests.contains { $0.id == "RUNNING" && $0.label == "Running" })
      #expect(options.strengths.contains { $0.id == "ENDURANCE" && $0.label == "Endurance" })
    }
  }

  @Test("[ID-21] a date of birth is no later than today in the person's own zone, and at most 120 years ago")
  func dateOfBirth() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      // 2026-01-15 23:30 in UTC is the 16th in Singapore and the 15th in Honolulu.
      let evening: Int64 = 1_768_519_800
      identity.clock.set(Instant(microseconds: evening * 1_000_000 - 60_000_000))
      func status(_ year: Int32, _ month: Int32, _ day: Int32, _ zone: String) async throws -> Status? {
        var profile = Profile.complete
        (profile.dateOfBirth, profile.timeZone) = (.init(year: year, month: month, day: day), zone)
        let call = CreateProfileRequest(profile: profile, validateOnly: true)
        let login = try await identity.accounts.login(User.ada.login)
        do { _ = try await identity.profiles.createProfile(call, .user(login)) } catch let status as Status {
          return status
        }
        return nil
      }
      let future = try #require(try await status(2026, 1, 16, "Pacific/Honolulu"))
      #expect(future.code == .invalidArgument && future.message == "Please choose a valid date of birth")
      #expect(future.reason == "DATE_OF_BIRTH_INVALID" && future.fields == ["profile.date_of_birth"])
      #expect(try await status(2026, 1, 16, "Asia/Singapore") == nil)
      #expect(try await status(1906, 1, 16, "Asia/Singapore") == nil)
      #expect(try await status(1906, 1, 15, "Asia/Singapore")?.reason == "DATE_OF_BIRTH_INVALID")
      #expect(try await status(2001, 2, 29, "Asia/Singapore")?.reason == "DATE_OF_BIRTH_INVALID")
      #expect(try await status(2001, 0, 0, "Asia/Singapore")?.reason == "DATE_OF_BIRTH_INVALID")
      #expect(try await identity.value("select count(*) from profiles where gender is not null") == "0")
    }
  }

  @Test("[ID-22] an update changes what its mask names and nothing else")
  func updates() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let made = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))
      identity.clock.advance(by: .seconds(60))

      let changed = try await identity.profiles.updateProfile(
        UpdateProfileRequest(
          profile: Profile(gender: .other, level: .expert),
          updateMask: .init(paths: ["level", "interests", "contact.phone"])),
        .user(ada))

      var expected = made
      (expected.level, expected.interests) = (.expert, [])
      expected.contact?.phone = ""
      (expected.etag, expected.updateTime) = (changed.etag, changed.updateTime)
      #expect(changed == expected && changed.etag != made.etag)
      #expect(changed.updateTime?.seconds == identity.clock.now.wholeSeconds)
    }
  }

  @Test("[ID-22] without a mask an update changes what has a value")
  func updatesWithoutMask() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))

      let changed = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(strengths: ["CORE", "ARMS"])), .user(ada))

      #expect(changed.strengths == ["ARMS", "CORE"] && changed.interests == ["RUNNING", "READING"])
    }
  }

  @Test("[ID-22] the username and what else the server sets cannot be changed by an update")
  func immutable() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))

      let status = try await refusal {
        try await identity.profiles.updateProfile(
          UpdateProfileRequest(
            profile: Profile(username: "eve", timeZone: "Nowhere"),
            updateMask: .init(paths: ["username", "contact.email", "nonsense", "time_zone"])), .user(ada))
      }

      #expect(status.code == .invalidArgument)
      #expect(status.fieldReasons == ["FIELD_IMMUTABLE", "FIELD_IMMUTABLE", "FIELD_UNKNOWN", "TIME_ZONE_INVALID"])
      #expect(try await identity.value("select username from accounts") == "ada")
    }
  }

  @Test("[ID-22] of 32 updates with one etag exactly one succeeds, and the others are ABORTED")
  func staleEtag() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let made = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))

      let results = await identity.race(32) { client, caller in
        try await ProfilesClient(client).updateProfile(
          UpdateProfileRequest(
            profile: Profile(level: caller % 2 == 0 ? .novice : .expert, etag: made.etag),
            updateMask: .init(paths: ["level"])), .user(ada))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "ETAG_MISMATCH", count: 31))
      #expect(results.refusals().allSatisfy { $0.code == .aborted })
      #expect(try await identity.value("select revision from profiles") == "3")
    }
  }

  @Test("[ID-22] [ID-20] without a gym part its fields cannot be updated, and nothing of the request is stored")
  func missing() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      for mask in [["level"], ["interests", "time_zone"], []] {
        let status = try await refusal {
          try await identity.profiles.updateProfile(
            UpdateProfileRequest(
              profile: Profile(level: .expert, timeZone: "Asia/Singapore"), updateMask: .init(paths: mask)),
            .user(ada))
        }
        #expect(status.code == .failedPrecondition && status.reason == "GYM_PROFILE_MISSING")
      }

      #expect(try await identity.value("select time_zone || revision from profiles") == "UTC1")
    }
  }

  @Test("[ID-24] no username is refused, and an unknown or unverified one is nobody")
  func getsNobody() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let empty = try await refusal { try await identity.profiles.getProfile(GetProfileRequest(), .user(ada)) }
      #expect(empty.code == .invalidArgument && empty.reason == "USERNAME_REQUIRED" && empty.fields == ["username"])
      #expect(empty.message == "username cannot be empty")
      _ = try await identity.accounts.register(User.grace.registration)
      for name in ["nobody", "grace.h", "not a name", "a"] {
        let status = try await refusal {
          try await identity.profiles.getProfile(GetProfileRequest(username: name), .user(ada))
        }
        #expect(status.code == .notFound && status.reason == "USER_NOT_FOUND")
        #expect(status.message == "There is no such person")
      }
    }
  }

  @Test("[ID-21] a change of the zone does not put the date of birth in the future")
  func zoneBeforeBirth() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      // 2026-01-15 23:29 in UTC is the 16th in Singapore and the 15th in Honolulu.
      identity.clock.set(Instant(microseconds: 1_768_519_740_000_000))
      let ada = try await identity.accounts.login(User.ada.login)
      var profile = Profile.complete
      (profile.dateOfBirth, profile.timeZone) = (.init(year: 2026, month: 1, day: 16), "Asia/Singapore")
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
      func moved(to zone: String, bornOn day: Int32? = nil) async throws {
        var new = Profile(timeZone: zone)
        new.dateOfBirth = day.map { .init(year: 2026, month: 1, day: $0) }
        _ = try await identity.profiles.updateProfile(UpdateProfileRequest(profile: new), .user(ada))
      }

      let refused = try await refusal { try await moved(to: "Pacific/Honolulu") }
      let stored = try await identity.value("select time_zone from profiles")
      try await moved(to: "Pacific/Honolulu", bornOn: 15)

      #expect(refused.code == .invalidArgument && refused.message == "Please choose a valid date of birth")
      #expect(refused.reason == "DATE_OF_BIRTH_INVALID" && refused.fields == ["profile.date_of_birth"])
      #expect(stored == "Asia/Singapore")
      #expect(try await identity.value("select time_zone from profiles") == "Pacific/Honolulu")
    }
  }

  @Test("[ID-21] a zone is changed in spite of a date of birth that has become over 120 years old")
  func zoneOfTheOld() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      try await identity.sql("update profiles set date_of_birth = '1905-01-01'")

      let moved = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(timeZone: "Asia/Singapore")), .user(ada))

      #expect(moved.timeZone == "Asia/Singapore")
    }
  }

  @Test("[C-6] validate_only answers with the profile as it would be and stores nothing")
  func validateOnly() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let call = CreateProfileRequest(profile: .complete, validateOnly: true)

      let dryRun = try await identity.profiles.createProfile(call, .user(ada))
      let stored = try await identity.value("select count(*) from profiles where gender is not null")
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))
      let taken = try await refusal { try await identity.profiles.createProfile(call, .user(ada)) }

      #expect(dryRun.username == "ada" && stored == "0")
      #expect(taken.reason == "GYM_PROFILE_EXISTS")
    }
  }
}
