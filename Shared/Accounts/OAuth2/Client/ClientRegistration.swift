/// What an authorization server knows this client by.
public struct ClientRegistration: Sendable {
  /// How the client proves itself to the token endpoint (RFC 6749, section 2.3).
  public enum Authentication: String, Sendable, Hashable, CaseIterable, Decodable {
    /// By the header field `authorization`.
    case basic
    /// By fields of the form.
    case post
    /// Not at all: it has no secret.
    case none
  }

  /// `client_id`
  public let id: String
  /// The secret; only what asks the token endpoint looks at it.
  public let secret: ClientSecret?
  /// How the secret is sent.
  public let authentication: Authentication

  /// - Parameter secret: `nil` for a public client, which then proves itself by nothing.
  public init(id: String, secret: ClientSecret?, authentication: Authentication = .basic) {
    self.id = id
    self.secret = secret
    self.authentication = secret == nil ? .none : authentication
  }
}

/// A secret that an authorization server gave the client; it shows itself to nobody.
public struct ClientSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself, to be sent to whom it is shared with.
  public let text: String

  /// `nil` for an empty text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
  }

  /// Never the secret, so that it cannot slip into a log.
  public var description: String { "ClientSecret(redacted)" }
  /// Never the secret.
  public var debugDescription: String { description }
  /// Shows no part of the secret to `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
