import Environment
import Cryptography
import IdentityMail
import IdentityStore
import Identifiers
import Postgres

/// Sends mail: composes each message when it is due, and hands it to the mailer.
struct MailSender: DeliverySender {
  let database: Database
  let mailer: any Mailer
  let letters: Letters
  let environment: Environment

  let channel = DeliveryChannel.mail
  /// At most one per connection: a mail that waited for a connection could exceed the wait after which another replica
  /// sends it too.
  let capacity = SMTPMailer.connections

  /// Links in one mail: it stays readable, and an address that many ask for gets few mails.
  private static let maxCompanions = 9
  /// Notifications that a mail tells of in words, beside its first one.
  private static let maxGathered: Int64 = 19

  /// Mails with links to one address that are due at the same time are one mail ([ID-15]).
  func takeDue(_ take: TakeDueDeliveries, from database: Database) async throws -> [DueDelivery] {
    try await database.transaction { tx in
      guard let first = try await tx.rows(take).first else { return [] }
      guard first.content == .emailChange, let change = first.emailChangeID else { return [first] }
      return [first]
        + (try await tx.rows(TakeEmailChangesWith(change, now: environment.clock.now, limit: Self.maxCompanions)))
    }
  }

  func carry(_ delivery: DueDelivery, with companions: [DueDelivery]) async -> DeliveryOutcome {
    guard let address = MailAddress(delivery.email) else { return .refused("the address cannot be mailed to") }
    do {
      guard let mail = try await letter(delivery, with: companions, to: address) else { return .obsolete }
      try await mailer.send(mail)
      return .sent
    } catch let failure as MailFailure {
      return switch failure {
      case .refused: .refused("\(failure)")
      case .temporary: .later("\(failure)")
      case .unsure: .unsure("\(failure)")
      }
    } catch {
      return .later("the letter could not be written: \(error)")
    }
  }

  /// `nil` when the mail is obsolete.
  private func letter(
    _ delivery: DueDelivery, with companions: [DueDelivery], to address: MailAddress
  ) async throws -> Mail? {
    switch delivery.content {
    case .notification: try await notificationMail(delivery, to: address)
    case .emailVerification: delivery.isVerified ? nil : try await verificationMail(delivery, to: address)
    case .passwordReset: try await resetMail(delivery, to: address)
    case .emailChange: try await emailChangeMail([delivery] + companions, to: address)
    case .securityNotice: try await securityMail(delivery, to: address)
    }
  }

  private func notificationMail(_ delivery: DueDelivery, to address: MailAddress) async throws -> Mail? {
    guard let first = delivery.notification else { return nil }
    guard delivery.isGathered else { return try letters.notification.mail(delivery, first, to: address) }
    let more = try await database.rows(GatheredNotices(deliveryID: delivery.id, limit: Self.maxGathered))
    let left = Int(more.first?.total ?? 0) - more.count
    return try letters.notification.mail(
      delivery, first, with: more.map(\.notification), andMore: left, to: address)
  }

  /// The token is generated when the mail is sent: it exists only in that mail, and only its hash is stored ([ID-4]).
  private func verificationMail(_ delivery: DueDelivery, to address: MailAddress) async throws -> Mail {
    let token = SecretToken(randomness: environment.randomness)
    try await database.write(
      InsertVerification(tokenHash: token.hash, userID: delivery.userID, now: environment.clock.now))
    return letters.verification.mail(delivery.id.uuid, to: address, username: delivery.username, token: token.text)
  }

  /// The token is generated when the mail is sent: it exists only in that mail, and only its hash is stored ([ID-8]).
  ///
  /// - Returns: `nil` when the account has another address by now.
  private func resetMail(_ delivery: DueDelivery, to address: MailAddress) async throws -> Mail? {
    let token = SecretToken(randomness: environment.randomness)
    let reset = InsertReset(
      tokenHash: token.hash, userID: delivery.userID, email: delivery.email, now: environment.clock.now)
    guard try await database.write(reset).first != nil else { return nil }
    return letters.reset.mail(delivery.id.uuid, to: address, username: delivery.username, token: token.text)
  }
}
