import Environment
import Cryptography
import Identifiers
import Postgres
import ProtobufC
import TTRPC

/// Lets a request that carries an id take effect once, and gives whoever repeats it the first answer ([C-4]).
///
/// For methods of one request and one answer: the answers of a stream are not kept, so its request has no `request_id`. What a handler does
/// happens in `body`, and nowhere else:
/// ```swift
/// return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) { tx in
/// ```
public struct IdempotencyStore: Sendable {
  /// How long a first answer is kept ([C-4]).
  public static let lifetime: Duration = .seconds(24 * 3_600)

  private let database: Database
  private let seal: Seal
  private let clock: any WallClock

  /// Answers are kept in the table `replays` of `database`, sealed, for they may hold passwords and tokens.
  public init(database: Database, seal: Seal, clock: any WallClock) {
    self.database = database
    self.seal = seal
    self.clock = clock
  }

  /// What becomes of a request.
  public enum Execution: Sendable, Hashable {
    /// It takes effect.
    case lasting
    /// Every check runs, the answer is what it would be, and nothing is stored, not even the answer ([C-6]).
    case dryRun

    /// What the `validate_only` of a request asks for.
    public init(validateOnly: Bool) { self = validateOnly ? .dryRun : .lasting }
  }

  /// Runs `body` and keeps its answer, in one transaction; or gives the answer that was kept.
  ///
  /// Of requests that race each other one runs and the others wait for it. A request that is refused, or fails, keeps nothing. Where another
  /// transaction is in the way, a deadlock for example, everything is undone and `body` runs again: all it does, it does through its
  /// transaction.
  ///
  /// - Parameter key: `nil` for a request without an id, which nobody can repeat.
  /// - Throws: INVALID_ARGUMENT `REQUEST_ID_REUSED` when the id was used for another request.
  public func execute<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ request: Request, _ key: RequestKey?, _ execution: Execution = .lasting,
    _ body: (Transaction) async throws -> Response
  ) async throws -> Response {
    if execution == .dryRun { return try await database.dryRun { tx in try await body(tx) } }
    guard let key else { return try await database.repeatableTransaction { tx in try await body(tx) } }
    return try await database.repeatableTransaction { tx in
      guard try await tx.first(ClaimRequest(key, now: clock.now)) != nil else {
        return try await kept(request, tx.first(StoredAnswer(key, now: clock.now)), key)
      }
      let answer = try await body(tx)
      let sealed = try seal.seal(digest(request) + answer.serialized(), associated: Array(key.description.utf8))
      try await tx.execute(StoreAnswer(key, sealedAnswer: sealed))
      return answer
    }
  }

  /// The answer that was kept; `nil` when the request is new, or carries no id.
  ///
  /// Worth asking before expensive work. The answer may still be `nil` for a request that is under way elsewhere.
  public func firstAnswer<Request: ProtobufMessage, Response: ProtobufMessage>(
    to request: Request, _ key: RequestKey?
  ) async throws -> Response? {
    guard let key, let sealed = try await database.first(StoredAnswer(key, now: clock.now)) else { return nil }
    return try kept(request, sealed, key)
  }

  private func kept<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ request: Request, _ sealed: [UInt8]?, _ key: RequestKey
  ) throws -> Response {
    // It can be gone only if the day ended between the claim and the look; the client repeats and is then the first.
    guard let sealed else { throw Status.unavailable("The request's first answer has just expired") }
    let opened = try seal.open(sealed, associated: Array(key.description.utf8))
    let (first, answer) = (Array(opened.prefix(Self.digestLength)), opened.dropFirst(Self.digestLength))
    guard Digest.constantTimeEquals(first, digest(request)) else { throw Self.reused }
    return try Response(serialized: answer)
  }

  private static let digestLength = 32

  private static let reused = Status(
    .invalidArgument, reason: "REQUEST_ID_REUSED", "The request_id was used for another request before")

  private func digest(_ request: some ProtobufMessage) -> [UInt8] {
    Digest.sha256(request.serialized())
  }
}
