import IdentityDomain
import IdentityOperations
import Jobs

extension ResetMails {
  /// The job that a request leaves, so that a call takes the same time for every address.
  package var handler: JobHandler {
    .inDatabase(.resetMail) { address, _, tx in
      guard let email = EmailAddress(address) else { return }
      try await send(to: email, in: tx)
    }
  }
}
