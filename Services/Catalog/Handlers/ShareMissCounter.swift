import CatalogStore
import ClientAddresses
import Cryptography
import Environment
import Identifiers
import Postgres
import TTRPC
import TandemCatalog

/// Limits how many unknown link tokens an address may try, against guessing ([CA-15]).
struct ShareMissCounter: Sendable {
  let database: Database
  let clock: any WallClock

  /// Refuses an address that tried too many unknown links.
  func check(_ context: CallContext) async throws {
    let now = clock.now
    guard let end = try await database.first(ShareMissesOver(addressHash: Self.hash(ofAddress: context), now: now))
    else {
      return
    }
    throw Status(
      CatalogReason.tooManyAttempts, "Too many links that lead nowhere were tried from here",
      retryAfter: end - now)
  }

  /// Counts an unknown link for the caller's address.
  func count(_ context: CallContext) async throws {
    try await database.write(CountShareMiss(addressHash: Self.hash(ofAddress: context), now: clock.now))
  }

  private static func hash(ofAddress context: CallContext) -> [UInt8] {
    Digest.sha256("address:\(context.clientNetwork)".utf8)
  }
}
