import Base64
import Cryptography
import Foundation
import Identifiers
import IdentityDomain
import IdentityHandlers
import IdentityOperations
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("preferences", .timeLimit(.minutes(5)))
struct PreferenceTests {
  /// The channels of the deliveries of one notification.
  private static func channels(_ identity: RunningIdentity, of source: String) async throws -> [String] {
    try await identity.sql(
      """
      select channel from deliveries join notifications on notifications.id = notification_id
      where source_key = '\(source)' order by channel
      """
    ).map { $0[0] ?? "" }
  }

  @Test("[ID-61] a notification goes by the channels that its reader prefers for the kind, and always into the inbox")
  func honoured() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.notifications.registerDevice(
        RegisterDeviceRequest(token: "abc", platform: .web), .user(ada))
      try await Replica.with(identity) { replica in
        for (number, source, mail, push) in [
          (1 as UInt64, "both", true, true), (2, "push", false, true), (3, "mail", true, false),
          (4, "none", false, false),
        ] {
          let preference = KindPreference(kind: .bookRequested, mail: mail, push: push)
          let answer = try await identity.notifications.updatePreferences(
            UpdatePreferencesRequest(preferences: Preferences(kinds: [preference])), .user(ada))
          // Of another user each: notices of one user are gathered.
          let user = Notice(
            .bookRequested(title: "Dune", by: UserID(UUID7(high: 0, low: number))),
            to: try #require(UserID(ada.userID)), because: try #require(SourceKey(source)))
          try await replica.tell(user)

          #expect(answer.kinds.first { $0.kind == .bookRequested } == preference)
          #expect(
            try await Self.channels(identity, of: source) == (mail ? ["MAIL"] : []) + (push ? ["PUSH"] : []))
        }
      }
      #expect(try await identity.notifications.countUnread(CountUnreadRequest(), .user(ada)).unreadCount == 4)
    }
  }

  @Test("[MA-9] the mail that a partner has checked in is sent whatever is preferred, and has no link to end it")
  func transactional() async throws {
    let arguments = ["--unsubscribe-url", "https://tandem.example/unsubscribe"]
    try await RunningIdentity.with(CheapIdentity.self, arguments) { identity in
      let ada = try await identity.loggedIn()
      let wish = Preferences(kinds: [KindPreference(kind: .partnerCheckedIn, mail: false, push: false)])
      let answer = try await identity.notifications.updatePreferences(
        UpdatePreferencesRequest(preferences: wish), .user(ada))
      try await Replica.with(identity) { replica in
        try await replica.tell(
          Notice(
            .partnerCheckedIn(partner: UserID(UUID7(high: 0, low: 1)), gym: "the Iron Temple"),
            to: try #require(UserID(ada.userID)), because: try #require(SourceKey("sessions/1/checked-in"))))
      }
      let mail = try await eventually("the mail is there") {
        try identity.mails(to: User.ada.email).first { $0.contains("Subject: Your partner has checked in\r\n") }
      }

      let shown = try #require(answer.kinds.first { $0.kind == .partnerCheckedIn })
      #expect(shown.mail && !shown.push)
      #expect(mail.contains("This mail belongs to a session that you agreed to") && !mail.contains("unsubscribe?"))
      #expect(!mail.contains("List-Unsubscribe"))
    }
  }

  @Test("[MA-9] a link from before that ends the mail of check-ins is refused")
  func oldLink() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let seal = Seal(current: try #require(SealKey(line: RunningIdentity.sealKey)))
      let user = try #require(UserID(ada.userID))
      let token = Base64URL.encode(
        try seal.seal(user.uuid.bytes + Array("PARTNER_CHECKED_IN".utf8), associated: Array("unsubscribe".utf8)))

      let status = try await refusal {
        try await identity.notifications.unsubscribe(UnsubscribeRequest(token: token))
      }

      #expect(status.code == .failedPrecondition && status.reason == "MAIL_FIXED")
    }
  }

  @Test("[MA-9] 31 item 1: the mail that a partner waits at the gym is sent whatever the preferences are")
  func fixedMail() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await Replica.with(identity) { replica in
        let answer = try await identity.notifications.updatePreferences(
          UpdatePreferencesRequest(
            preferences: Preferences(kinds: [
              KindPreference(kind: .partnerCheckedIn), KindPreference(kind: .sessionMatched),
            ])),
          .user(ada))
        #expect(answer.kinds.first { $0.kind == .partnerCheckedIn }?.mail == true)
        #expect(answer.kinds.first { $0.kind == .sessionMatched }?.mail == false)
        let id = try #require(UserID(ada.userID))
        let (waiting, matched) = (try #require(SourceKey("waiting")), try #require(SourceKey("matched")))
        try await replica.tell(Notice(.partnerCheckedIn(partner: id, gym: "the gym"), to: id, because: waiting))
        try await replica.tell(
          Notice(.sessionMatched(partner: id, start: "today", gym: "the gym"), to: id, because: matched))
        #expect(try await Self.channels(identity, of: "waiting") == ["MAIL"])
        #expect(try await Self.channels(identity, of: "matched") == [])
      }
    }
  }

  @Test("[ID-61] preferences have every kind once, and a mask leaves the other channel alone")
  func masked() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let before = try await identity.notifications.getPreferences(GetPreferencesRequest(), .user(ada))
      let call = UpdatePreferencesRequest(
        preferences: Preferences(kinds: [
          KindPreference(kind: .sosStarted), KindPreference(kind: .chatMessage, mail: true),
        ]),
        updateMask: .init(paths: ["mail"]))
      var trial = call
      trial.validateOnly = true

      let dryRun = try await identity.notifications.updatePreferences(trial, .user(ada))
      let untouched = try await identity.notifications.getPreferences(GetPreferencesRequest(), .user(ada))
      let after = try await identity.notifications.updatePreferences(call, .user(ada))

      #expect(before.kinds.count == IdentityDomain.NotificationKind.allCases.count)
      #expect(Set(before.kinds.map(\.kind.rawValue)).count == before.kinds.count)
      #expect(
        before.kinds.first { $0.kind == .sosStarted } == KindPreference(kind: .sosStarted, mail: true, push: true))
      #expect(dryRun == after && untouched == before)
      #expect(
        after.kinds.first { $0.kind == .sosStarted } == KindPreference(kind: .sosStarted, mail: false, push: true))
      #expect(
        after.kinds.first { $0.kind == .chatMessage } == KindPreference(kind: .chatMessage, mail: true, push: true))
    }
  }

  @Test("[C-2] a bad wish for preferences is refused with all that is wrong")
  func refuses() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let kinds = [KindPreference(kind: .loanDue), KindPreference(), KindPreference(kind: .loanDue)]

      let status = try await refusal {
        try await identity.notifications.updatePreferences(
          UpdatePreferencesRequest(preferences: Preferences(kinds: kinds), updateMask: .init(paths: ["smoke"])),
          .user(ada))
      }

      #expect(status.fieldReasons == ["FIELD_UNKNOWN", "KIND_REQUIRED", "KIND_REPEATED"])
      #expect(status.fields == ["update_mask.paths[0]", "preferences.kinds[1].kind", "preferences.kinds[2].kind"])
    }
  }

  @Test("[ID-61] a mail says that its kind is on by default, or that the user asked for it, whichever is so")
  func reasons() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let wish = Preferences(kinds: [KindPreference(kind: .gymReminder, mail: true, push: true)])
      _ = try await identity.notifications.updatePreferences(UpdatePreferencesRequest(preferences: wish), .user(ada))
      try await Replica.with(identity) { replica in
        let user = try #require(UserID(ada.userID))
        try await replica.tell(
          try .request(to: ada, because: "1"),
          Notice(.gymReminder(time: "18:30"), to: user, because: .reminder(ofDay: "2026-01-15")))
      }
      func mail(_ subject: String) async throws -> String {
        try await eventually("the mail is there") {
          try identity.mails(to: User.ada.email).first { $0.contains("Subject: \(subject)") }
        }
      }

      let usual = "You get mail about requests for your books unless you switch it off."
      #expect(try await mail("One of your books is asked for").contains(usual))
      let asked = "You get this mail because you asked for mail about your daily reminder."
      #expect(try await mail("Time for the gym").contains(asked))
    }
  }

  @Test("[ID-61] the link in a mail ends the mail of its kind without a login, and nobody can make one")
  func unsubscribes() async throws {
    let arguments = ["--unsubscribe-url", "https://tandem.example/unsubscribe"]
    try await RunningIdentity.with(CheapIdentity.self, arguments) { identity in
      let ada = try await identity.loggedIn()
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request("<i>Dune</i> & more", to: ada, because: "1"))
        let mail = try await eventually("the mail is there") {
          try identity.mails(to: User.ada.email).first { $0.contains("List-Unsubscribe") }
        }
        #expect(mail.contains("\r\nSubject: One of your books is asked for\r\n"))
        #expect(mail.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
        #expect(mail.contains("A deleted user would like to borrow <i>Dune</i> & more from you.\r\n"))
        #expect(
          mail.contains("<p>A deleted user would like to borrow &lt;i&gt;Dune&lt;/i&gt; &amp; more from you.</p>"))
        let prefix = "List-Unsubscribe: <https://tandem.example/unsubscribe?token="
        let line = try #require(mail.split(separator: "\r\n").first { $0.hasPrefix(prefix) })
        let token = String(line.dropFirst(prefix.count).dropLast())

        let answers = [
          try await identity.notifications.unsubscribe(UnsubscribeRequest(token: token)),
          try await identity.notifications.unsubscribe(UnsubscribeRequest(token: token)),
        ]
        try await replica.tell(try .request(to: ada, because: "2"))

        #expect(answers.map(\.kind) == [.bookRequested, .bookRequested])
        #expect(try await Self.channels(identity, of: "2").isEmpty)
        for forged in [String(token.dropLast(4)) + "AAAA", "", "x"] {
          let status = try await refusal {
            try await identity.notifications.unsubscribe(UnsubscribeRequest(token: forged))
          }
          #expect(status.reason == "UNSUBSCRIBE_TOKEN_INVALID")
        }
      }
    }
  }
}
