import Foundation
import Testing

/// A real push gateway of the test's own; see `push_gateway.py` for its behaviour by token.
struct PushServer {
  private let server: ServerProcess

  /// The requests received.
  struct Taken {
    let status: String
    let path: String
    let headers: [String: String]
    let body: [String: String]
  }

  static func with(_ body: (PushServer) async throws -> Void) async throws {
    try await ServerProcess.with("push_gateway.py") {
      [$0, $1]
    } _: {
      try await body(PushServer(server: $0))
    }
  }

  /// The requests so far, in order.
  func pushes() throws -> [Taken] {
    try server.files(".json").map { name, text in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let body = try #require(record["body"] as? [String: Any])
      return Taken(
        status: String(name.dropLast(5).suffix(3)), path: try #require(record["path"] as? String),
        headers: try #require(record["headers"] as? [String: String]), body: body.mapValues { "\($0)" })
    }
  }

  /// The settings by which a service pushes through it; the token is the one that it believes.
  func arguments(token: String = "gateway-secret") -> [String] {
    [
      "--push-url", "https://localhost:\(server.port)/v1/send", "--push-token", token, "--push-ca", server.authority,
    ]
  }
}
