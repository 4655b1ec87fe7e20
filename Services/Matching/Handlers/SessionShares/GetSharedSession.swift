import Cryptography
import Identifiers
import LinkMisses
import MatchingDomain
import MatchingStore
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// The posted session that a link shares, for any client that has the link ([CA-15]): not whose it is.
  package func getSharedSession(_ call: GetSharedSessionRequest, _ context: CallContext) async throws -> SharedSession {
    guard let hash = SecretToken(call.token)?.hash,
      let session = try await database.first(SharedSessionByToken(tokenHash: hash, now: environment.clock.now))
    else {
      try await misses.count(context)
      throw SessionShareRefusal.noSuchShare
    }
    return SharedSession(session)
  }
}

extension SharedSession {
  fileprivate init(_ session: SharedSessionByToken.Row) {
    self.init(
      sessionID: session.sessionID.description, startTime: session.startsAt.timestamp,
      lengthS: Int32((session.endsAt - session.startsAt).components.seconds), gymName: session.gymName,
      timeZone: session.timeZone, focus: session.focus.wire, level: session.level.wire,
      preview: SharePreview(
        title: session.focus.title, text: "\(session.gymName), \(session.localStart) to \(session.localEnd)",
        picture: "session"))
  }
}
