import Environment
import Cryptography
import Identifiers
import Postgres
import ProtobufC
import TTRPC

/// Executes a request that carries an id once, and answers its repetitions with the first response ([C-4]).
///
/// For unary methods: responses of a stream are not stored, so its request has no `request_id`. Everything that a
/// handler does is done in `body`:
/// ```swift
/// return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) { tx in
/// ```
public struct IdempotencyStore: Sendable {
  /// How long a first response is kept ([C-4]).
  public static let lifetime: Duration = .seconds(24 * 3_600)

  private let database: Database
  private let seal: Seal
  private let clock: any WallClock

  /// Stores responses in the table `replays` of `database`, sealed, because they may contain passwords and tokens.
  public init(database: Database, seal: Seal, clock: any WallClock) {
    self.database = database
    self.seal = seal
    self.clock = clock
  }

  /// How a request is executed.
  public enum Execution: Sendable, Hashable {
    /// It takes effect.
    case lasting
    /// Every check runs, the response is what it would be, and nothing is stored, not even the response ([C-6]).
    case dryRun

    /// The execution that the `validate_only` of a request asks for.
    public init(validateOnly: Bool) { self = validateOnly ? .dryRun : .lasting }
  }

  /// Runs `body` and stores its response, in one transaction; or returns the stored response.
  ///
  /// Of concurrent requests with one key one runs and the others wait for it. A request that is refused, or fails,
  /// stores nothing. After a conflict with another transaction, a deadlock for example, everything is undone and `body`
  /// runs again, so it may have effects only through its transaction.
  ///
  /// - Parameter key: `nil` for a request without an id, which cannot be recognised as repeated.
  /// - Throws: INVALID_ARGUMENT `REQUEST_ID_REUSED` when the id was used for another request.
  public func execute<Request: IdempotentRequest, Response: ProtobufMessage>(
    _ request: Request, _ key: RequestKey?, _ execution: Execution = .lasting,
    _ body: (Transaction) async throws -> Response
  ) async throws -> Response {
    guard execution == .lasting, let key else { return try await execute(execution, body) }
    return try await database.repeatableTransaction { tx in
      guard try await tx.first(ClaimRequest(key, now: clock.now)) != nil else {
        return try await kept(request, tx.first(StoredAnswer(key, now: clock.now)), key)
      }
      let answer = try await body(tx)
      let sealed = try seal.seal(digest(request, key) + answer.serialized(), associated: Array(key.description.utf8))
      try await tx.execute(StoreAnswer(key, sealedAnswer: sealed))
      return answer
    }
  }

  /// Runs `body` in a transaction, for a request that has no field for an id because running it again changes nothing more.
  public func execute<Response: ProtobufMessage>(
    _ execution: Execution, _ body: (Transaction) async throws -> Response
  ) async throws -> Response {
    if execution == .dryRun { return try await database.dryRun { tx in try await body(tx) } }
    return try await database.repeatableTransaction { tx in try await body(tx) }
  }

  /// The stored response; `nil` when the request is new, or carries no id.
  ///
  /// Worth a call before expensive work. The result may still be `nil` for a request that another call is executing.
  public func firstAnswer<Request: IdempotentRequest, Response: ProtobufMessage>(
    to request: Request, _ key: RequestKey?
  ) async throws -> Response? {
    guard let key, let sealed = try await database.first(StoredAnswer(key, now: clock.now)) else { return nil }
    return try kept(request, sealed, key)
  }

  private func kept<Request: IdempotentRequest, Response: ProtobufMessage>(
    _ request: Request, _ sealed: [UInt8]?, _ key: RequestKey
  ) throws -> Response {
    // It can be gone only if the day ended between the claim and the query; the client's retry is then the first
    // request.
    guard let sealed else { throw Status.unavailable("The request's first answer has just expired") }
    let opened = try seal.open(sealed, associated: Array(key.description.utf8))
    let (first, answer) = (Array(opened.prefix(Self.digestLength)), opened.dropFirst(Self.digestLength))
    guard Digest.constantTimeEquals(first, digest(request, key)) else { throw Self.reused }
    return try Response(serialized: answer)
  }

  private static let digestLength = 32

  private static let reused = Status(
    .invalidArgument, reason: "REQUEST_ID_REUSED", "The request_id was used for another request before")

  /// Digest of the request, in which the id is spelt in lower case: a UUID is the same in either case (RFC 9562).
  private func digest(_ request: some ProtobufMessage, _ key: RequestKey) -> [UInt8] {
    var bytes = request.serialized()
    RequestKey.lowercase(key.requestID, in: &bytes)
    return Digest.sha256(bytes)
  }
}
