import Environment
import Foundation
import Identifiers
import IdentityMail
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("mail", .timeLimit(.minutes(5)))
struct MailTests {
  @Test(
    "a password in the mail server's URL is not shown, though the URL cannot be used",
    arguments: ["smtp://me:hush@mail.example:bad", "smtps://me:hush@mail.example", "smtp://me:hush@"])
  func hiddenPassword(url: String) async throws {
    // Within the database's use, of which an error would keep the database for a look at it.
    let unhealthyReason = try await TestDatabase.with([RunningIdentity.schema]) { database in
      do {
        try await RunningIdentity.with(CheapIdentity.self, on: database, clock: ManualClock(), ["--mail", url]) { _ in }
        return ""
      } catch { return "\(error)" }
    }
    #expect(unhealthyReason.contains("setting mail: ") && unhealthyReason.contains("smtp://user@host:587"))
    #expect(!unhealthyReason.contains("hush"))
  }

  static func mail(
    to address: String, subject: String = "Hello", body: String = "One\n.\nTwo\n", html: HTML? = nil,
    unsubscription: UnsubscribeLink? = nil
  ) throws -> Mail {
    Mail(
      id: UUID7(at: ManualClock().now, entropy: (1, 2)), to: try #require(MailAddress(address)),
      subject: MailSubject(subject), text: MailText(body), html: html, unsubscription: unsubscription)
  }

  static func message(_ mail: Mail) throws -> String {
    let sender = try #require(MailAddress("no-reply@tandem.example"))
    return String(decoding: Message(mail, from: sender, at: ManualClock().now).bytes, as: UTF8.self)
  }

  @Test("a plain message is left readable, with the headers of RFC 5322")
  func plain() throws {
    let message = try Self.message(try Self.mail(to: "ada@example.com"))

    #expect(
      message == """
        Date: Thu, 15 Jan 2026 12:00:00 +0000\r
        From: Tandem <no-reply@tandem.example>\r
        To: <ada@example.com>\r
        Message-ID: <019bc186-de00-7000-8080-000000000000@tandem.example>\r
        Subject: Hello\r
        MIME-Version: 1.0\r
        Auto-Submitted: auto-generated\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Transfer-Encoding: 7bit\r
        \r
        One\r
        .\r
        Two\r

        """)
  }

  @Test("a subject cannot begin a header of its own")
  func injection() throws {
    let message = try Self.message(try Self.mail(to: "ada@example.com", subject: "Hi\r\nBcc: eve@example.com"))

    #expect(message.contains("\r\nSubject: Hi Bcc: eve@example.com\r\n"))
    #expect(!message.contains("\r\nBcc:"))
  }

  @Test(
    "an address that would break out of its line is none",
    arguments: ["a@b\r\nBcc: c@d", "a@b\n", "ä@b.example", "a@", "@b", ""])
  func addressInjection(address: String) {
    #expect(MailAddress(address) == nil)
  }

  @Test("texts beyond ASCII are encoded, whole characters at a time")
  func encoded() throws {
    let message = try Self.message(
      try Self.mail(
        to: "ada@example.com", subject: String(repeating: "Grüße ", count: 12), body: "Schöne Grüße = ja \n"))

    let words = message.split(separator: "\r\n").drop { !$0.hasPrefix("Subject: ") }.prefix {
      $0.contains("=?utf-8?B?")
    }
    let decoded = try words.map { word in
      let encoded = try #require(word.split(separator: "?").dropLast().last)
      return String(decoding: try #require(Data(base64Encoded: String(encoded))), as: UTF8.self)
    }
    #expect(decoded.joined() == String(repeating: "Grüße ", count: 12))
    #expect(words.allSatisfy { $0.utf8.count <= 78 })
    #expect(
      message.hasSuffix(
        "quoted-printable\r\n\r\nSch=C3=B6ne Gr=C3=BC=C3=9Fe =3D ja=20\r\n"))
  }

  @Test("[ID-61] a mail with HTML has both forms, the better one last, and says how to get no more of it")
  func alternative() throws {
    let (name, link) = ("<Ada> & \"co\"", try #require(UnsubscribeLink("https://tandem.example/u?token=abc")))
    let message = try Self.message(
      try Self.mail(to: "ada@example.com", body: "Grüße\n", html: "<p>Hello \(name)</p>\n", unsubscription: link))

    let lines = message.split(separator: "\r\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("Auto-") }
    let boundary = "=_019bc186-de00-7000-8080-000000000000"
    #expect(
      lines.map(String.init) == [
        "Auto-Submitted: auto-generated", "List-Unsubscribe: <https://tandem.example/u?token=abc>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "", "--\(boundary)",
        "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "", "Gr=C3=BC=C3=9Fe",
        "--\(boundary)", "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: 7bit", "",
        "<p>Hello &lt;Ada&gt; &amp; &quot;co&quot;</p>", "--\(boundary)--", "",
      ])
  }

  @Test("[ID-61] what is too long for a mail is cut, and HTML that is too long left out")
  func oversize() throws {
    let long = String(repeating: "ü", count: 200_000)
    let mail = try Self.mail(to: "ada@example.com", subject: long, body: long, html: "<p>\(long)</p>")

    #expect(mail.subject.text.unicodeScalars.count == 201 && mail.text.text.utf8.count == 102_400 && mail.html == nil)
    #expect(Set(mail.text.text) == ["ü"])
    let lines = try Self.message(mail).split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 78 })
  }

  @Test(
    "a link that would break out of its header is none",
    arguments: [
      "https://a.example/>\r\nBcc: eve", "https://a.example/<b>", "javascript:alert(1)", "https://a.example/ b",
    ])
  func linkInjection(link: String) {
    #expect(UnsubscribeLink(link) == nil)
  }

  @Test(
    "a setting that names no mail server is refused with what a right one looks like",
    arguments: [
      "", "folder:", "http://mail.example", "smtp://", "smtp://user:secret@mail.example", "smtp://mail.example/inbox",
      "mail.example",
    ])
  func settings(text: String) {
    let error = #expect(throws: MailSettingError.self) { try MailDestination(setting: text) }
    #expect(error?.description.contains("smtp://user@host:587") == true)
    #expect(error?.description.contains("secret") == false)
  }

  @Test("settings name a folder or a server")
  func goodSettings() throws {
    #expect(try MailDestination(setting: "folder:/var/mail") == .folder("/var/mail"))
    #expect(
      try MailDestination(setting: "smtp://ada%40x@mail.example")
        == .smtp(SMTPServer(host: "mail.example", port: 587, protection: .required, user: "ada@x")))
    #expect(
      try MailDestination(setting: "smtps://mail.example:2465")
        == .smtp(SMTPServer(host: "mail.example", port: 2465, protection: .implicit)))
  }

  @Test("[ID-1] the verification mail goes out over SMTP with STARTTLS and a password")
  func overSMTP() async throws {
    try await MailServer.with(["--tls", "--require-starttls", "--user", "tandem", "secret"]) { server in
      let arguments = [
        "--mail", "smtp://tandem@localhost:\(server.port)", "--mail-password", "secret", "--mail-ca", server.authority,
      ]
      let mails = Gathered<String>()
      try await RunningIdentity.with(CheapIdentity.self, arguments) { identity in
        let account = try await identity.accounts.register(User.ada.registration)
        mails.add(try await eventually("the mail has arrived") { try server.mails().first })
        let token = try #require(
          mails.all[0].split(separator: "\r\n").first { $0.utf8.count == 43 && !$0.contains(" ") })
        _ = try await identity.accounts.verifyEmail(
          VerifyEmailRequest(token: String(token), registrationSecret: account.registrationSecret))
      }
      #expect(mails.all[0].hasPrefix("sender no-reply@tandem.example\r\nrecipients ada@example.com\r\ntls yes\r\n"))
    }
  }

  @Test("after a mail that the server never answers the next one goes out by another connection")
  func silentServer() async throws {
    try await MailServer.with([]) { server in
      let sender = try #require(MailAddress("no-reply@tandem.example"))
      let settings = SMTPServer(host: "localhost", port: server.port, protection: .none)
      let mailer = SMTPMailer(settings, from: sender, timeout: .seconds(5), clock: SystemClock())
      await #expect { try await mailer.send(try Self.mail(to: "mute@example.com")) } throws: { !$0.isRefusal }

      try await mailer.send(try Self.mail(to: "ada@example.com"))

      #expect(try server.mails().count == 2)
    }
  }

  @Test("a mail server's answers: taken as it is, refused for good, refused for now, no TLS, wrong password")
  func answers() async throws {
    try await MailServer.with(["--tls", "--user", "tandem", "secret"]) { server in
      let sender = try #require(MailAddress("no-reply@tandem.example"))
      var settings = SMTPServer(
        host: "localhost", port: server.port, protection: .required, user: "tandem", password: "secret",
        authorities: server.authority)
      let mailer = SMTPMailer(settings, from: sender, timeout: .seconds(60), clock: SystemClock())

      try await mailer.send(try Self.mail(to: "ada@example.com"))
      #expect(try server.mails().first?.hasSuffix("\r\n\r\nOne\r\n.\r\nTwo\r\n") == true)
      await #expect { try await mailer.send(try Self.mail(to: "never@example.com")) } throws: { $0.isRefusal }
      await #expect { try await mailer.send(try Self.mail(to: "later@example.com")) } throws: { !$0.isRefusal }
      try await mailer.send(try Self.mail(to: "\"odd > name\"@example.com"))
      #expect(try server.mails().count == 2)

      settings.password = "wrong"
      let stranger = SMTPMailer(settings, from: sender, timeout: .seconds(60), clock: SystemClock())
      await #expect { try await stranger.send(try Self.mail(to: "ada@example.com")) } throws: { !$0.isRefusal }
      settings.authorities = nil
      let sceptic = SMTPMailer(settings, from: sender, timeout: .seconds(60), clock: SystemClock())
      await #expect { try await sceptic.send(try Self.mail(to: "ada@example.com")) } throws: { !$0.isRefusal }
    }
  }

  @Test("[ID-61] a server may want AUTH LOGIN, and TLS from the first byte; its connection is used again")
  func implicitTLS() async throws {
    try await MailServer.with(["--tls", "--implicit", "--user", "tandem", "secret", "--login-only"]) { server in
      let sender = try #require(MailAddress("no-reply@tandem.example"))
      let settings = SMTPServer(
        host: "localhost", port: server.port, protection: .implicit, user: "tandem", password: "secret",
        authorities: server.authority)
      let mailer = SMTPMailer(settings, from: sender, timeout: .seconds(20), clock: SystemClock())

      for name in ["ada", "grace", "mary"] { try await mailer.send(try Self.mail(to: "\(name)@example.com")) }

      #expect(try server.mails().count == 3)
      #expect(try server.connections() == 1)
    }
  }

  @Test("[ID-61] a connection that dies after DATA leaves it open whether the mail was taken")
  func diesAfterData() async throws {
    try await MailServer.with([]) { server in
      let sender = try #require(MailAddress("no-reply@tandem.example"))
      let settings = SMTPServer(host: "localhost", port: server.port, protection: .none)
      let mailer = SMTPMailer(settings, from: sender, timeout: .seconds(20), clock: SystemClock())

      await #expect {
        try await mailer.send(try Self.mail(to: "dead@example.com"))
      } throws: {
        if case .unsure? = $0 as? MailFailure { true } else { false }
      }
      // The next mail gets a connection of its own.
      try await mailer.send(try Self.mail(to: "ada@example.com"))
      #expect(try server.mails().count == 2)
    }
  }

  @Test("[ID-1] mail waits for a mail server that is away, and is sent when it is back")
  func serverAway() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let (clock, away) = (ManualClock(), ["--mail", "smtp://127.0.0.1:1", "--mail-starttls", "off"])
      try await RunningIdentity.with(on: database, clock: clock, away) { identity in
        _ = try await identity.accounts.register(User.ada.registration)
        let failure = try await eventually("the failure is noted") {
          try await identity.value("select last_failure from deliveries where attempts = 1")
        }
        #expect(failure.hasPrefix("not sent for now: "))
      }
      clock.advance(by: .seconds(60))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("the mail is sent") { try identity.mails(to: User.ada.email).first }
      }
    }
  }
}

extension Error {
  /// Whether a mail server refused a mail for good.
  fileprivate var isRefusal: Bool {
    if case .refused? = self as? MailFailure { true } else { false }
  }
}

@Suite("words of other users in mail")
struct UnlinkedTextTests {
  /// What programs make links of, without the characters that this test reads as white space.
  private static var links: [Regex<Substring>] {
    [
      #/[^\s.:@]+[.。．｡][^\s.:@]{2,}/#, #/\p{L}[:：]\S/#, #/\S[@＠]\S{2,}/#, #/\\\\/#,
    ]
  }

  @Test(
    "[ID-44] no link can be made of it",
    arguments: [
      "http://evil.example/x?y=z", "HTTPS://1.22.33.44:80", "evil.com", "www.evil.example", "win@evil.example",
      "mailto:me", "tel:+6561234567", "\\\\server\\share", "a.b.co.uk", "evil。com", "evil．com", "evil｡com",
      "http：//evil．com", "Look at evil.com!", "i❤.ws", "evil.co\u{301}m", "x.xn--p1ai",
    ])
  func broken(text: String) {
    let unlinked = UnlinkedText(text).text

    for link in Self.links { #expect(unlinked.firstMatch(of: link) == nil, "\(unlinked)") }
    #expect(unlinked.filter { $0 != "\u{200A}" } == text)
  }

  @Test(
    "[ID-44] ordinary text stays as it is",
    arguments: [
      "grace.h wrote to you in Runners.", "It is 18:30.", "The Hobbit: or There and Back Again", "Dune…", "Wait...",
      "<i>Dune</i> & more", "",
    ])
  func kept(text: String) {
    #expect(UnlinkedText(text).text == text)
  }

  @Test(
    "[ID-4] a link carries its token where its page wants it",
    arguments: [
      ("https://x/verify", "https://x/verify?token="), ("https://x/v?lang=en", "https://x/v?lang=en&token="),
      ("https://x/verify#", "https://x/verify#token="), ("https://x/v?lang=en#", "https://x/v?lang=en#token="),
    ])
  func tokenLinks(page: String, expected: String) { #expect(TokenLink.prefix(to: page) == expected) }
}
