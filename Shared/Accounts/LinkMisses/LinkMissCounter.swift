import ClientAddresses
import Cryptography
public import Environment
public import Identifiers
public import Postgres
public import TTRPC

/// Counts the unknown links that a client's network tries, so that nobody finds one by trying ([CA-15], [MA-20]).
///
/// A link that exists is never refused, whatever else was tried from the network: its secret has 256 bits, and other users of a shared address
/// must not lose their links by what one of them does. So a link that works costs no query more, and one that does not, once there were too
/// many, is refused without being stored.
public struct LinkMissCounter: Sendable {
  /// Unknown links within ``window`` before further ones are refused.
  public static let maxMisses: Int32 = 30
  /// It begins with the first unknown link.
  public static let window: Duration = .seconds(900)

  private let clock: any WallClock
  private let refusal: @Sendable (_ retryAfter: Duration) -> Status
  private let windowEnd: @Sendable (_ addressHash: [UInt8], _ now: Instant) async throws -> Instant?
  private let store: @Sendable (_ addressHash: [UInt8], _ now: Instant, _ windowEnd: Instant) async throws -> Void

  /// - Parameters:
  ///   - reason: that of the refusal.
  ///   - over: makes the statement that returns the end of the window of a network that has tried too often, and no row for others, from the
  ///     SHA-256 of the network, the present moment and the number of misses.
  ///   - count: makes the statement that counts a miss, from the present moment, the SHA-256 of the network and the end of a window that
  ///     begins now.
  public init<Over: SingleRowStatement, Count: Statement>(
    database: Database, clock: any WallClock, reason: some RefusalReason,
    over: @escaping @Sendable (_ addressHash: [UInt8], _ now: Instant, _ misses: Int32) -> Over,
    count: @escaping @Sendable (_ now: Instant, _ addressHash: [UInt8], _ windowEndsAt: Instant) -> Count
  ) where Over.Row == Instant {
    self.clock = clock
    refusal = { Status(reason, "Too many links that lead nowhere were tried from here", retryAfter: $0) }
    windowEnd = { hash, now in try await database.first(over(hash, now, Self.maxMisses)) }
    store = { hash, now, end in try await database.write(count(now, hash, end)) }
  }

  /// Counts an unknown link for the caller's network, and refuses it if that tried too many before.
  public func count(_ context: CallContext) async throws {
    let (now, network) = (clock.now, Digest.sha256("address:\(context.clientNetwork)".utf8))
    if let end = try await windowEnd(network, now) { throw refusal(end - now) }
    try await store(network, now, now + Self.window)
  }
}
