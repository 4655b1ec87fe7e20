import Cryptography
import IdentityDomain
import IdentityMail
import IdentityStore

extension MailSender {
  /// The mail to an address that users want for their accounts: with a link for each, or, if another account has the
  /// address, to the owner of that account and without ([ID-15]).
  ///
  /// - Parameter deliveries: those that go as one mail, by the first of them.
  /// - Returns: `nil` when all the changes were replaced or dropped.
  func emailChangeMail(_ deliveries: [DueDelivery], to address: MailAddress) async throws -> Mail? {
    guard let first = deliveries.first else { return nil }
    var links: [EmailChangeLetter.Link] = []
    var isTaken = false
    for delivery in deliveries {
      if try await self.isTaken(delivery) {
        isTaken = true
      } else if let token = try await newToken(of: delivery, to: .confirm) {
        links.append(.init(username: delivery.username, token: token))
      }
    }
    guard !links.isEmpty else {
      return isTaken ? letters.emailChange.refusal(first.id.uuid, to: address) : nil
    }
    return letters.emailChange.mail(first.id.uuid, to: address, links)
  }

  /// Whether another account has the address that a mail goes to.
  private func isTaken(_ delivery: DueDelivery) async throws -> Bool {
    guard let email = EmailAddress(delivery.email) else { return false }
    return try await database.first(
      EmailIsTaken(emailKey: email.key, userID: delivery.userID, now: environment.clock.now)) ?? false
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
