import Ambient
import Cryptography
import IdentityStore
import Identifiers
import Postgres
import ProtobufC
import TTRPC

/// Lets a request that carries an id take effect once, and gives whoever repeats it the first answer ([C-4]).
struct Replays: Sendable {
  let database: Database
  let seal: Seal
  let clock: any WallClock

  /// Runs `body` and keeps its answer, in one transaction; or gives the answer that was kept.
  ///
  /// Of requests that race each other one runs and the others wait for it. A request that is refused, or fails, keeps nothing.
  ///
  /// - Parameter key: `nil` for a request without an id, which nobody can repeat.
  /// - Throws: INVALID_ARGUMENT `REQUEST_ID_REUSED` when the id was used for another request.
  func once<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ request: Request, _ key: RequestKey?, _ body: (Transaction) async throws -> Response
  ) async throws -> Response {
    guard let key else { return try await database.transaction { tx in try await body(tx) } }
    return try await database.transaction { tx in
      guard try await tx.first(ClaimRequest(key, now: clock.now)) != nil else {
        return try await kept(request, tx.first(StoredAnswer(key, now: clock.now)), key)
      }
      let answer = try await body(tx)
      let sealed = try seal.seal(digest(request) + answer.serialized(), associated: Array(key.description.utf8))
      try await tx.execute(StoreAnswer(key, sealedAnswer: sealed))
      return answer
    }
  }

  /// As `once`, or when `isRehearsal` the same with nothing stored ([C-6]): every check runs, in a transaction that is undone.
  func once<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ request: Request, _ key: RequestKey?, rehearsing isRehearsal: Bool,
    _ body: (Transaction) async throws -> Response
  ) async throws -> Response {
    guard isRehearsal else { return try await once(request, key, body) }
    do {
      return try await database.transaction { tx in throw Rehearsed(answer: try await body(tx)) }
    } catch let rehearsed as Rehearsed<Response> {
      return rehearsed.answer
    }
  }

  /// Carries an answer out of a transaction that is to be undone.
  private struct Rehearsed<Response: Sendable>: Error {
    let answer: Response
  }

  /// The answer that was kept; `nil` when the request is new, or carries no id.
  ///
  /// Worth asking before expensive work. The answer may still be `nil` for a request that is under way elsewhere.
  func firstAnswer<Request: ProtobufMessage, Response: ProtobufMessage>(
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
    guard Digest.constantTimeEquals(first, digest(request)) else { throw Status.requestIDReused }
    return try Response(serialized: answer)
  }

  private static let digestLength = 32

  private func digest(_ request: some ProtobufMessage) -> [UInt8] {
    Digest.sha256(request.serialized())
  }
}
