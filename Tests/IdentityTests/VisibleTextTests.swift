import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

extension Status {
  /// The texts for the user about the invalid fields, in order.
  fileprivate var descriptions: [String] { badRequest?.fieldViolations.map(\.description) ?? [] }
}

@Suite("text that others see", .timeLimit(.minutes(5)))
struct VisibleTextTests {
  @Test(
    "[C-12] a group's name that hides a character is refused, with the character and its place",
    arguments: [
      ("\u{200B}", "has the invisible character U+200B at position 1"),
      ("\u{202E}gnp.exe", "has the character U+202E, which changes the direction of text, at position 1"),
      ("\u{AD}", "has the invisible character U+00AD at position 1"),
      ("Run\u{FEFF}ners", "has the invisible character U+FEFF at position 4"),
      ("Run\nners", "has a line break at position 4"),
      ("\u{2800}\u{3000}", "is empty"),
    ])
  func groupName(name: String, complaint: String) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let group = try await identity.group(of: ada)

      let refused = [
        try await refusal { try await identity.group(name, of: ada) },
        try await refusal {
          try await identity.groups.updateGroup(
            UpdateGroupRequest(group: Group(groupID: group, name: name), updateMask: .init(paths: ["name"])), .user(ada)
          )
        },
      ]

      for status in refused {
        #expect(status.code == .invalidArgument && status.reason == "GROUP_NAME_INVALID")
        #expect(status.fields == ["group.name"] && status.descriptions == ["The group's name \(complaint)"])
      }
      #expect(try await identity.value("select string_agg(name, ',') from groups") == "Runners")
    }
  }

  @Test("[C-12] a name is stored in NFC, and its length is that of what is stored")
  func normalised() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      _ = try await identity.group(String(repeating: "e\u{301}", count: 80), of: ada)

      let stored = try await identity.value("select name from groups")
      #expect(Array((stored ?? "").unicodeScalars) == Array(repeating: "\u{E9}", count: 80))
    }
  }

  @Test("[C-12] labels of devices, names of passkeys and remarks hide nothing either")
  func otherTexts() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let refused = [
        try await refusal { try await identity.login(on: "phone\u{200F}") },
        try await refusal {
          try await identity.passkeys.registerPasskey(
            RegisterPasskeyRequest(name: "key\u{2066}", clientDataJson: [1], attestationObject: [1]), .user(ada))
        },
        try await refusal {
          try await identity.safety.reportUser(
            ReportUserRequest(userID: grace.userID, reason: .other, remarks: "two\nlines\u{2060}"), .user(ada))
        },
      ]
      #expect(refused.map(\.fields) == [["device_label"], ["name"], ["remarks"]])
      #expect(
        refused.flatMap(\.descriptions) == [
          "The label has the invisible character U+200F at position 6",
          "The label has the character U+2066, which changes the direction of text, at position 4",
          "The report has the invisible character U+2060 at position 10",
        ])
    }
  }
}

@Suite("unknown enum values in requests", .timeLimit(.minutes(5)))
struct UnknownEnumTests {
  @Test("[C-12] an unknown enum value is refused with its path when a profile is created, and nothing is stored")
  func createProfile() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      var profile = Profile.complete
      profile.contact?.visibility = .unrecognized(9)
      (profile.level, profile.interests) = (.unrecognized(-1), ["SLEEPING"])

      let status = try await refusal {
        try await identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
      }

      #expect(status.code == .invalidArgument && status.reason == "INVALID_FIELDS")
      #expect(status.fields == ["profile.level", "profile.contact.visibility", "profile.interests"])
      #expect(status.fieldReasons == ["ENUM_VALUE_UNKNOWN", "ENUM_VALUE_UNKNOWN", "INTEREST_UNKNOWN"])
      #expect(
        status.descriptions.prefix(2) == [
          "-1 is no value of tandem.identity.v1.Level", "9 is no value of tandem.identity.v1.ContactVisibility",
        ])
      #expect(try await identity.value("select count(*) from profiles where gender is not null") == "0")
    }
  }

  @Test("[C-12] an unknown enum value is refused when a profile is updated, whatever the mask names")
  func updateProfile() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))

      for mask in [["contact.visibility"], ["level"], []] {
        let status = try await refusal {
          try await identity.profiles.updateProfile(
            UpdateProfileRequest(
              profile: Profile(level: .expert, contact: .init(visibility: .unrecognized(9))),
              updateMask: .init(paths: mask)),
            .user(ada))
        }
        #expect(status.code == .invalidArgument && status.reason == "ENUM_VALUE_UNKNOWN")
        #expect(status.fields == ["profile.contact.visibility"])
      }
      #expect(try await identity.value("select level || contact_visibility from profiles") == "ADVANCEDEVERYONE")
    }
  }

  @Test("[C-2] D-6: an unknown enum value hides no other bad field: all are named at once, and nothing is stored")
  func besideOthers() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))

      let profile = try await refusal {
        try await identity.profiles.updateProfile(
          UpdateProfileRequest(
            profile: Profile(level: .unrecognized(9), contact: .init(phone: "x")),
            updateMask: .init(paths: ["level", "contact.phone", "smoke"]), requestID: "x"),
          .user(ada))
      }
      let report = try await refusal {
        try await identity.safety.reportUser(
          ReportUserRequest(userID: "x", reason: .unrecognized(9), evidenceIds: ["y"]), .user(ada))
      }
      let device = try await refusal {
        try await identity.notifications.registerDevice(
          RegisterDeviceRequest(token: "", platform: .unrecognized(9), requestID: "x"), .user(ada))
      }
      let reminder = try await refusal {
        try await identity.notifications.setReminder(
          SetReminderRequest(reminder: Reminder(weekdays: [.monday, .unrecognized(9)]), requestID: "x"), .user(ada))
      }
      let alone = try await refusal {
        try await identity.safety.reportUser(
          ReportUserRequest(userID: grace.userID, reason: .unrecognized(9), remarks: "Spam"), .user(ada))
      }

      #expect(
        profile.fields.sorted() == ["contact.phone", "level"].map { "profile.\($0)" } + [
          "request_id", "update_mask.paths[2]",
        ])
      #expect(report.fields == ["reason", "user_id", "evidence_ids[0]"])
      #expect(report.fieldReasons.first == "ENUM_VALUE_UNKNOWN")
      #expect(device.fields == ["platform", "request_id", "token"])
      #expect(reminder.fields == ["reminder.weekdays[1]", "request_id", "reminder.local_time"])
      #expect(alone.reason == "ENUM_VALUE_UNKNOWN" && alone.fields == ["reason"])
      for status in [profile, report, device, reminder, alone] { #expect(status.code == .invalidArgument) }
      for table in ["user_reports", "devices", "reminders"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0")
      }
      #expect(try await identity.value("select count(*) from throttles where kind = 'REPORT'") == "0")
    }
  }
}
