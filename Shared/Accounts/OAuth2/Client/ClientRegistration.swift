/// This client's registration at an authorization server.
public struct ClientRegistration: Sendable {
  /// How the client authenticates to the token endpoint (RFC 6749, section 2.3).
  public enum Authentication: String, Sendable, Hashable, CaseIterable, Decodable {
    /// By the header field `authorization`.
    case basic
    /// By fields of the form.
    case post
    /// Not at all: a public client has no secret.
    case none
  }

  /// `client_id`
  public let id: String
  /// The client secret, used only for the token endpoint.
  public let secret: ClientSecret?
  /// How the secret is sent.
  public let authentication: Authentication

  /// - Parameter secret: `nil` for a public client, which does not authenticate.
  public init(id: String, secret: ClientSecret?, authentication: Authentication = .basic) {
    self.id = id
    self.secret = secret
    self.authentication = secret == nil ? .none : authentication
  }
}

/// A secret that an authorization server issued to the client; no description shows it.
public struct ClientSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself, to be sent only to the server that issued it.
  public let text: String

  /// `nil` for an empty text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
  }

  /// Never the secret, so that it cannot get into a log.
  public var description: String { "ClientSecret(redacted)" }
  /// Never the secret.
  public var debugDescription: String { description }
  /// Shows no part of the secret to `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
