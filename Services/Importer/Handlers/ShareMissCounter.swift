import ClientAddresses
import Cryptography
import Environment
import Identifiers
import ImporterStore
import Postgres
import TTRPC
import TandemImporter

/// Limits how many unknown link tokens an address may try, against guessing ([CA-15]).
struct ShareMissCounter: Sendable {
  let database: Database
  let clock: any WallClock

  /// Counts an unknown link for the caller's address, and refuses it if that tried too many before.
  ///
  /// A link that exists is never refused, whatever else was tried from the address: its secret has 256 bits.
  func count(_ context: CallContext) async throws {
    let (now, address) = (clock.now, Digest.sha256("address:\(context.clientNetwork)".utf8))
    if let end = try await database.first(ShareMissesOver(addressHash: address, now: now)) {
      throw Status(
        ImporterReason.tooManyAttempts, "Too many links that lead nowhere were tried from here", retryAfter: end - now)
    }
    try await database.write(CountShareMiss(addressHash: address, now: now))
  }
}
