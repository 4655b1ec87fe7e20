import Testing

/// A real mail server of the test's own (aiosmtpd); see `smtp_server.py` for its behaviour by recipient.
struct MailServer {
  private let server: ServerProcess

  var port: Int { server.port }
  /// The authority that its certificate comes from.
  var authority: String { server.authority }

  /// Runs `body` with a server; `options` are those of `smtp_server.py`, with the certificate and key added where TLS is named.
  static func with(_ options: [String], _ body: (MailServer) async throws -> Void) async throws {
    try await ServerProcess.with("smtp_server.py") { certificate, key in
      options.flatMap { $0 == "--tls" ? [$0, certificate, key] : [$0] }
    } _: {
      try await body(MailServer(server: $0))
    }
  }

  /// The mails received, each as its envelope's lines, an empty line and the message.
  func mails() throws -> [String] { try server.files(".txt").map(\.text) }

  /// How many connections there were so far.
  func connections() throws -> Int { try #require(try server.files("connections").first.flatMap { Int($0.text) }) }

  /// The settings by which a service mails through it without TLS.
  func arguments(timeout: String = "20s") -> [String] {
    ["--mail", "smtp://localhost:\(port)", "--mail-starttls", "off", "--mail-timeout", timeout]
  }
}
