import Ambient
import Cryptography
import Identifiers
import IdentityMail
import IdentityStore
import Logging
import Postgres
import Repetition
import ServiceLifecycle
import Synchronization

/// Sends the mail that was decided on, by whichever replica takes it first ([ID-1], [ID-4]).
///
/// A mail may go out twice when a replica dies between handing it over and noting that; it is never lost.
package final class MailRoom: Service {
  private let database: Database
  private let mailer: any Mailer
  private let letter: VerificationLetter
  private let ambient: Ambient
  private let logger: Logger
  private let bell: AsyncStream<Void>
  private let ring: AsyncStream<Void>.Continuation

  /// Finds what a replica that died has left, and what is due again after a failure.
  private static let pollInterval: Duration = .seconds(5)
  /// Mails taken at a time; they are sent side by side. No more than there are connections: one that had to wait for
  /// another could outlast `TakeDueMail.firstWait`, after which another replica sends it too.
  private static let batch = SMTPMailer.connections
  /// The last of the attempts, which get an hour apart: about two days after the first.
  private static let attempts = 50

  /// Sends by `mailer`.
  package init(
    database: Database, mailer: any Mailer, letter: VerificationLetter, ambient: Ambient, logger: Logger
  ) {
    self.database = database
    self.mailer = mailer
    self.letter = letter
    self.ambient = ambient
    self.logger = logger
    (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Has new mail looked for at once. After the commit that made it.
  func wake() {
    ring.yield()
  }

  /// Sends what is due until the service stops; what was begun is finished.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask {
        await repeatUntilShutdown(every: Self.pollInterval, self.logger, "mail could not be looked for") { _ in
          self.wake()
        }
      }
      group.addTask {
        await withGracefulShutdownHandler {
          for await _ in self.bell { await self.sendDueMail() }
        } onGracefulShutdown: {
          self.ring.finish()
        }
      }
    }
  }

  private func sendDueMail() async {
    do {
      while true {
        let mails = try await database.write(TakeDueMail(now: ambient.clock.now, limit: Self.batch))
        await withTaskGroup { group in
          for mail in mails { group.addTask { await self.send(mail) } }
        }
        if mails.count < Self.batch { return }
      }
    } catch {
      logger.warning("due mail could not be looked up", metadata: ["cause": "\(error)"])
    }
  }

  private func send(_ mail: TakeDueMail.Row) async {
    do {
      if mail.isWanted { try await hand(over: mail) }
      try await database.write(DeleteMail(mail.id))
    } catch {
      await note(error, about: mail)
    }
  }

  /// Makes the token only now: until it is in its mail it is nowhere, and stored is its hash alone.
  private func hand(over mail: TakeDueMail.Row) async throws {
    guard let address = MailAddress(mail.email) else { throw MailFailure.refused("the address cannot be mailed to") }
    let token = SecretToken(randomness: ambient.randomness)
    try await database.write(
      InsertVerification(tokenHash: token.hash, accountID: mail.accountID, now: ambient.clock.now))
    try await mailer.send(letter.mail(mail.id.uuid, to: address, username: mail.username, token: token.text))
  }

  private func note(_ error: any Error, about mail: TakeDueMail.Row) async {
    let details: Logger.Metadata = ["mail": "\(mail.id)", "attempt": "\(mail.attempt)", "cause": "\(error)"]
    do {
      if case MailFailure.refused = error {
        logger.warning("a mail was refused and is given up", metadata: details)
        try await database.write(DeleteMail(mail.id))
      } else if mail.attempt >= Self.attempts {
        logger.error("a mail could not be sent for days and is given up", metadata: details)
        try await database.write(DeleteMail(mail.id))
      } else {
        logger.warning("a mail was not sent and will be tried again", metadata: details)
        try await database.write(NoteMailFailure(mail.id, reason: "\(error)"))
      }
    } catch {
      logger.warning("a mail's failure could not be noted", metadata: ["mail": "\(mail.id)", "cause": "\(error)"])
    }
  }
}
