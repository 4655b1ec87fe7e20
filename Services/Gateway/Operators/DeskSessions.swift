import Base64
import Cryptography
import Environment
import GatewayLinks
import GatewaySessions
import HTTPTypes
import Identifiers
import Synchronization

/// The operators who are let in: by a link, once each, and from then on by a cookie. Kept in this process alone: all end with it.
package final class DeskSessions: Sendable {
  /// Why a link lets in no browser.
  package enum LinkRefusal: Error, Sendable, Equatable {
    /// Not made with the key of this gateway.
    case unknown
    /// Older than a link may be, or than this process, which does not know whether it was followed before.
    case late
    /// It was followed already.
    case used
  }

  /// A working day.
  package static let lifetime = Duration.seconds(8 * 3_600)
  /// Browsers that are let in at a time; one more ends the oldest.
  package static let maxSessions = 32
  /// A clock that was put back by an operator does not keep a link alive for longer than this.
  private static let clockMargin = Duration.seconds(60)

  private struct State {
    /// Ends of sessions, by their ids.
    var sessions: [String: Instant] = [:]
    /// Links that were followed and are not too old yet, with the times from which they are.
    var used: [[UInt8]: Instant] = [:]
  }

  private let key: Seal
  private let cookie: SealedCookie
  private let clock: any WallClock
  private let randomness: any Randomness
  private let began: Instant
  private let state = Mutex(State())

  /// - Parameter key: of links; cookies are sealed with one that this process makes.
  package init?(key: Seal, clock: any WallClock, randomness: any Randomness) {
    guard let own = SealKey(id: "desk", bytes: randomness.bytes(32)) else { return nil }
    (self.key, self.clock, self.randomness) = (key, clock, randomness)
    cookie = SealedCookie("operator", seal: Seal(current: own, randomness: randomness))
    began = clock.now
  }

  /// Follows a link: the cookie of a new session.
  package func enter(_ token: String) throws -> String {
    let now = clock.now
    guard let link = OperatorLink(token, key: key) else { throw LinkRefusal.unknown }
    guard link.madeAt >= began, link.madeAt <= now + Self.clockMargin, now < link.madeAt + OperatorLink.lifetime else {
      throw LinkRefusal.late
    }
    let id = Base64URL.encode(randomness.bytes(32))
    let isFirst = state.withLock { state in
      state.used = state.used.filter { $0.value > now }
      guard state.used.updateValue(link.madeAt + OperatorLink.lifetime, forKey: link.nonce) == nil else { return false }
      state.sessions = state.sessions.filter { $0.value > now }
      if state.sessions.count >= Self.maxSessions, let oldest = state.sessions.min(by: { $0.value < $1.value }) {
        state.sessions[oldest.key] = nil
      }
      state.sessions[id] = now + Self.lifetime
      return true
    }
    guard isFirst else { throw LinkRefusal.used }
    return try cookie.field([id], lasts: Self.lifetime.components.seconds)
  }

  /// Whether the cookie of a request is that of a session.
  package func includes(_ request: HTTPRequest) -> Bool {
    guard let id = cookie.texts(of: request)?.first else { return false }
    let now = clock.now
    return state.withLock { $0.sessions[id].map { $0 > now } ?? false }
  }

  /// Ends the session of a request; the value of `Set-Cookie` that takes the cookie away.
  package func leave(_ request: HTTPRequest) -> String {
    if let id = cookie.texts(of: request)?.first { state.withLock { _ = $0.sessions.removeValue(forKey: id) } }
    return cookie.cleared
  }
}
