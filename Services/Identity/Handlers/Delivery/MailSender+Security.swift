import Cryptography
import IdentityDomain
import IdentityMail
import IdentityStore

extension MailSender {
  /// The mail to an address that a user wants for their account: with a link, or, if another account has the address,
  /// to the owner of that account and without ([ID-15]).
  ///
  /// - Returns: `nil` when the change was replaced or dropped.
  func emailChangeMail(_ delivery: DueDelivery, to address: MailAddress) async throws -> Mail? {
    guard let email = EmailAddress(delivery.email) else { return nil }
    let isTaken = EmailIsTaken(emailKey: email.key, userID: delivery.userID, now: environment.clock.now)
    if try await database.first(isTaken) == true {
      return letters.emailChange.refusal(delivery.id.uuid, to: address)
    }
    guard let token = try await newToken(of: delivery, to: .confirm) else { return nil }
    return letters.emailChange.mail(delivery.id.uuid, to: address, username: delivery.username, token: token)
  }

  /// The mail that tells the owner of an account what happened to it ([ID-16]).
  ///
  /// - Returns: `nil` when the change that it would undo was undone.
  func securityMail(_ delivery: DueDelivery, to address: MailAddress) async throws -> Mail? {
    guard let notice = delivery.notice else { return nil }
    guard delivery.emailChangeID != nil else {
      return letters.security.mail(delivery, notice, token: nil, to: address)
    }
    guard let token = try await newToken(of: delivery, to: .undo) else { return nil }
    return letters.security.mail(delivery, notice, token: token, to: address)
  }

  /// Makes a token, of which only the hash is stored; `nil` when there is nothing to confirm or to undo any more.
  private func newToken(of delivery: DueDelivery, to purpose: EmailChangePurpose) async throws -> String? {
    guard let change = delivery.emailChangeID else { return nil }
    let token = SecretToken(randomness: environment.randomness)
    let insert = InsertEmailChangeToken(
      tokenHash: token.hash, purpose: purpose, now: environment.clock.now, emailChangeID: change)
    return try await database.write(insert).first == nil ? nil : token.text
  }
}
