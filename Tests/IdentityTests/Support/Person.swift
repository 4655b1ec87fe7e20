import Foundation
import IdentityDomain
import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// A user to register, with password and e-mail address.
struct User: Sendable {
  var email = "ada@example.com"
  var username = "ada"
  var password = "correct-Horse battery 9 staple"

  static let ada = User()
  static let grace = User(email: "grace@example.org", username: "grace.h")

  var registration: RegisterRequest { RegisterRequest(email: email, username: username, password: password) }
  var login: LoginRequest { LoginRequest(emailOrUsername: email, password: password) }
}

extension RunningIdentity {
  /// Registers and verifies a user, and takes the welcome away: most tests of inboxes begin with an empty one.
  @discardableResult
  func verified(_ user: User = .ada) async throws -> String {
    let id = try await welcomed(user)
    try await sql(
      "delete from notifications where account_id = '\(id)'; delete from inboxes where account_id = '\(id)'")
    return id
  }

  /// Registers and verifies a user.
  func welcomed(_ user: User = .ada) async throws -> String {
    let account = try await accounts.register(user.registration)
    _ = try await accounts.verifyEmail(
      VerifyEmailRequest(
        token: try await mailedToken(to: user.email), registrationSecret: account.registrationSecret))
    return account.userID
  }

  /// Registers, verifies and logs in a user.
  func loggedIn(_ user: User = .ada) async throws -> LoginResponse {
    try await verified(user)
    return try await accounts.login(user.login)
  }

  /// The mails to an address, whole, the oldest first.
  func mails(to email: String) throws -> [String] {
    // Their names are ids, which are in no order where a clock that tests set stands still.
    let written = URLResourceKey.contentModificationDateKey
    return try FileManager.default.contentsOfDirectory(
      at: URL(fileURLWithPath: mailFolder), includingPropertiesForKeys: [written]
    )
    .filter { $0.pathExtension == "eml" && !$0.lastPathComponent.hasPrefix(".") }
    .map { ($0, try $0.resourceValues(forKeys: [written]).contentModificationDate ?? .distantPast) }
    .sorted { $0.1 < $1.1 }
    .map { String(decoding: try Data(contentsOf: $0.0), as: UTF8.self) }
    .filter { $0.contains("To: <\(email)>") }
  }

  /// The token of the `count`th mail to an address, which is waited for.
  func mailedToken(to email: String, mail count: Int = 1) async throws -> String {
    let mail = try await eventually("mail \(count) to \(email) is there") {
      let mails = try mails(to: email)
      return mails.count >= count ? mails[count - 1] : nil
    }
    let isToken: (Substring) -> Bool = { $0.utf8.count == 43 && !$0.contains(" ") }
    return String(try #require(mail.split(separator: "\r\n").first(where: isToken)))
  }
}

extension RunningIdentity {
  /// Requests the first reset mail to an address, and returns its token.
  func mailedResetToken(to email: String) async throws -> String {
    _ = try await accounts.requestPasswordReset(RequestPasswordResetRequest(email: email))
    let mail = try await eventually("the reset mail to \(email) is there") {
      try mails(to: email).first { $0.contains("Subject: Choose a new password") }
    }
    return String(try #require(mail.split(separator: "\r\n").first { $0.utf8.count == 43 && !$0.contains(" ") }))
  }
}

extension CallOptions {
  /// As the user who logged in.
  static func user(_ login: LoginResponse) -> CallOptions { .token(login.accessToken) }
}
