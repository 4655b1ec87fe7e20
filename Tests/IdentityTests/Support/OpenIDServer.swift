import Foundation
import Identifiers
import TandemIdentity
import TestSupport
import Testing

/// Debian's glewlwyd as an OpenID provider of the test's own, with a browser; see `openid_provider.py`.
struct OpenIDServer {
  private let server: ServerProcess

  static let redirectURI = "https://app.example/callback"

  static func with(_ body: (OpenIDServer) async throws -> Void) async throws {
    try await ServerProcess.with("openid_provider.py") {
      [$0, $1, redirectURI]
    } _: {
      try await body(OpenIDServer(server: $0))
    }
  }

  /// The settings of a service by which users log in by it.
  func arguments() throws -> [String] {
    let provider: [String: Any] = [
      "id": "glewlwyd", "name": "Glewlwyd", "kind": "openid", "issuer": "https://localhost:\(server.port)/api/oidc",
      "client_id": "tandem", "client_secret_file": "secret", "scopes": ["openid"],
    ]
    let file = try JSONSerialization.data(withJSONObject: ["providers": [provider]])
    try file.write(to: URL(fileURLWithPath: "\(server.folder)/providers.conf"))
    try Data("glewlwyd-secret".utf8).write(to: URL(fileURLWithPath: "\(server.folder)/secret"))
    return [
      "--providers", "\(server.folder)/providers.conf", "--provider-ca", server.authority,
      "--provider-redirect-uris", Self.redirectURI,
    ]
  }

  /// Logs a user in there, grants what is requested, and returns.
  func visit(_ authorizationURL: String, as user: String) async throws -> Callback {
    let name = "\(server.folder)/\(UUID().uuidString)"
    let wish = ["url": authorizationURL, "user": user, "grants": "openid"]
    try JSONSerialization.data(withJSONObject: wish).write(to: URL(fileURLWithPath: "\(name).visit"), options: .atomic)
    let arrived = try await eventually("the browser has come back") {
      FileManager.default.contents(atPath: "\(name).arrived").map { String(decoding: $0, as: UTF8.self) }
    }
    let query = AuthorizationQuery(arrived)
    try #require(query.page == Self.redirectURI, "\(arrived)")
    return Callback(state: query["state"], code: query["code"], issuer: query["iss"], error: query["error"])
  }
}
