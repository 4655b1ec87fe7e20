import Cryptography
import TTRPC
import TandemIdentity
import TestSupport
import Testing

extension RunningIdentity {
  /// The mails to an address with a subject, once there are so many, the oldest first.
  func mails(to email: String, about subject: String, count: Int = 1) async throws -> [String] {
    try await eventually("\(count) mails to \(email) about \"\(subject)\"") {
      let found = try mails(to: email).filter { $0.contains("Subject: \(subject)\r\n") }
      return found.count >= count ? found : nil
    }
  }

  /// The token in the newest of so many mails.
  func token(to email: String, about subject: String, count: Int = 1) async throws -> String {
    let mail = try #require(try await mails(to: email, about: subject, count: count).last)
    return String(try #require(mail.split(separator: "\r\n").first { $0.utf8.count == 43 && !$0.contains(" ") }))
  }

  /// Requests another address.
  @discardableResult
  func requestEmail(_ email: String, _ login: LoginResponse) async throws -> RequestEmailChangeResponse {
    try await accounts.requestEmailChange(RequestEmailChangeRequest(email: email), .user(login))
  }

  /// The token that confirms a change.
  func confirmToken(to email: String, count: Int = 1) async throws -> String {
    try await token(to: email, about: "Please confirm your new email address", count: count)
  }

  /// The token that undoes a change.
  func undoToken(to email: String, count: Int = 1) async throws -> String {
    try await token(to: email, about: "Your email address was changed", count: count)
  }

  @discardableResult
  func confirmEmail(_ token: String) async throws -> ConfirmEmailChangeResponse {
    try await accounts.confirmEmailChange(ConfirmEmailChangeRequest(token: token))
  }

  @discardableResult
  func undoEmail(_ token: String) async throws -> UndoEmailChangeResponse {
    try await accounts.undoEmailChange(UndoEmailChangeRequest(token: token))
  }

  /// Requests another address and confirms it.
  func changeEmail(_ login: LoginResponse, to email: String) async throws {
    try await requestEmail(email, login)
    try await confirmEmail(try await confirmToken(to: email))
  }

  func ownAccount(_ login: LoginResponse) async throws -> OwnAccount {
    try await accounts.getOwnAccount(GetOwnAccountRequest(), .user(login))
  }

  /// Waits until no mail is due.
  func mailIsSent() async throws {
    _ = try await eventually("all mail is sent") {
      try await value("select 1 where not exists (select from deliveries where state = 'DUE' and channel = 'MAIL')")
    }
  }
}

extension String {
  /// The text of a mail on unbroken lines, with the hair spaces that keep mail programs from making links of it.
  var unbrokenMail: String {
    replacing("=\r\n", with: "").replacing("=E2=80=8A", with: "\u{200A}")
  }

  /// The same without those spaces.
  var unspacedMail: String { String(unbrokenMail.filter { $0 != "\u{200A}" }) }
}
