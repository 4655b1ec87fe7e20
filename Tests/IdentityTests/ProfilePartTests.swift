import IdentityStore
import Identifiers
import TTRPC
import TandemIdentity
import TestServices
import TestSupport
import Testing

@Suite("the two parts of a profile", .timeLimit(.minutes(5)))
struct ProfilePartTests {
  @Test("[ID-20] a user has a profile from verification on: others find it, and groups work without a gym part")
  func withoutGymPart() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))

      let read = try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      let found = try await identity.profiles.searchProfiles(SearchProfilesRequest(prefix: "AD"), .user(grace))
      let group = try await identity.group(of: ada)
      try await identity.add(.grace, to: group, by: ada)

      #expect(read.userID == ada.userID && read.username == "ada" && read.contact?.email == "ada@example.com")
      #expect(read.contact?.visibility == .everyone && read.timeZone == "UTC" && !read.hasGymProfile)
      #expect(read.gender == .unspecified && read.level == .unspecified && read.age == 0 && read.dateOfBirth == nil)
      #expect(read.createTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(found.profiles == [read])
      #expect(try await identity.members(of: group, for: grace) == ["ada", "grace.h"])
    }
  }

  @Test("[ID-20] an unverified account has no profile; the general part changes without a gym part, and stays with one")
  func generalPart() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.eve.registration)
      let unverified = try await identity.value("select count(*) from profiles")
      let ada = try await identity.loggedIn()
      let contact = ContactInformation(phone: "+6561234567", visibility: .nobody)

      let changed = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(timeZone: "Asia/Singapore", contact: contact)), .user(ada))
      var gym = Profile.complete
      (gym.timeZone, gym.contact) = ("", nil)
      let made = try await identity.profiles.createProfile(CreateProfileRequest(profile: gym), .user(ada))

      #expect(unverified == "0" && changed.timeZone == "Asia/Singapore" && changed.contact?.phone == "+6561234567")
      #expect(made.hasGymProfile && made.timeZone == changed.timeZone && made.contact == changed.contact)
      #expect(made.etag != changed.etag)
    }
  }

  @Test("[ID-20] [ID-21] others see the age in years by the owner's own day, and never the date of birth")
  func age() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      // The clock stands at noon of 15 January 2026 in UTC, which is the 16th in Kiritimati.
      var profile = Profile.complete
      (profile.dateOfBirth, profile.timeZone) = (.init(year: 1990, month: 1, day: 16), "Pacific/Kiritimati")
      let made = try await identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
      func seen(_ zone: String) async throws -> Profile {
        _ = try await identity.profiles.updateProfile(
          UpdateProfileRequest(profile: Profile(timeZone: zone)), .user(ada))
        return try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      }

      let (later, earlier) = (try await seen("Pacific/Kiritimati"), try await seen("UTC"))
      let found = try await identity.profiles.searchProfiles(SearchProfilesRequest(prefix: "ada"), .user(grace))
      let own = try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(ada))

      #expect(made.age == 36 && later.age == 36 && earlier.age == 35)
      #expect(later.dateOfBirth == nil && found.profiles.map(\.dateOfBirth) == [nil])
      #expect(own.dateOfBirth == profile.dateOfBirth && own.age == 35)
    }
  }

  @Test("[ID-20] of 16 calls that create a gym part one does, and it is told to other services once")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let results = await identity.race(16) { client, _ in
        try await ProfilesClient(client).createProfile(CreateProfileRequest(profile: .complete), .user(ada))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "GYM_PROFILE_EXISTS", count: 15))
      #expect(
        try await identity.value("select count(*) from events where type = 'tandem.events.v1.ProfileChanged'") == "1")
    }
  }

  @Test("[ID-20] [C-4] a gym part that is created again with the request_id has the first answer")
  func repeated() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let call = CreateProfileRequest(profile: .complete, requestID: "0197a5a0-0000-4000-8000-000000000001")

      let first = try await identity.profiles.createProfile(call, .user(ada))
      let again = try await identity.profiles.createProfile(call, .user(ada))

      #expect(first == again)
    }
  }

  @Test("[ID-20] [MA-3] matching is told of genders and levels only where there is a gym part")
  func traits() async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))
        let told = try await identity.sql("select key from events where type = 'tandem.events.v1.ProfileChanged'")

        try await identity.with(client: "matching", certificates) { client in
          let found = try await DirectoryClient(client).findTraits(
            FindTraitsRequest(userIds: [ada.userID, grace.userID]))
          #expect(found.traits.map(\.userID) == [ada.userID])
        }
        #expect(told == [[ada.userID]])
      }
    }
  }

  @Test("[ID-20] profiles from before keep all they had, and verified accounts without one have one after the update")
  func upgraded() async throws {
    let old = TestSchema(
      IdentitySchema.name, Array(IdentitySchema.migrations.prefix { $0.name != "profile_parts" }))
    try await TestDatabase.with([old]) { database in
      try await database.sql(
        """
        insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
        select gen_random_uuid(), name || '@x.org', name || '@x.org', name, '$x$y', now(),
          case when name <> 'eve' then now() end
        from unnest(array['ada', 'grace', 'eve']) as users (name);
        insert into profiles (account_id, gender, date_of_birth, level, interests, strengths, time_zone, phone, created_at,
          updated_at)
        select id, 'FEMALE', '1990-01-01', 'NOVICE', '{RUNNING}', '{}', 'Asia/Singapore', '+6561234567', now(), now()
        from accounts where username = 'ada';
        """, in: "identity")
      try await RunningIdentity.with(on: database, clock: ManualClock()) { identity in
        let profiles = try await identity.sql(
          """
          select username, gender, date_of_birth, level, interests::text, time_zone, phone, contact_visibility
          from profiles join accounts on accounts.id = account_id order by username
          """)
        #expect(
          profiles == [
            ["ada", "FEMALE", "1990-01-01", "NOVICE", "{RUNNING}", "Asia/Singapore", "+6561234567", "EVERYONE"],
            ["grace", nil, nil, nil, "{}", "UTC", "", "EVERYONE"],
          ])
      }
    }
  }

  @Test("[ID-20] [C-9] the profile goes with the account, also one without a gym part")
  func deleted() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))

      let status = try await refusal {
        try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      }

      #expect(status.reason == "USER_NOT_FOUND")
      #expect(try await identity.value("select count(*) from profiles") == "1")
    }
  }
}
