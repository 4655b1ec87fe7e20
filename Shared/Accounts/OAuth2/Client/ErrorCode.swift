import Cryptography
import OutboundHTTP

/// The error codes of RFC 6749 and their like, which servers choose and users may read.
enum ErrorCode {
  private struct Answer: Decodable {
    let error: String
  }

  private static let longest = 64

  /// What a token endpoint's refusal means.
  static func failure(_ answer: OutboundAnswer) -> OAuth2Failure {
    guard (400..<500).contains(answer.status) else { return .untrusted(.answer) }
    guard let code = StrictJSON.decode(Answer.self, answer.body)?.error else {
      return .refused(code: "\(answer.status)")
    }
    switch code {
    case "invalid_grant": return .grantRefused
    case "temporarily_unavailable", "server_error", "slow_down":
      return .temporary(reason: code, retryAfter: answer.retryAfter)
    default: return .refused(code: printable(code))
    }
  }

  /// The characters that error codes are made of, as many as anybody needs to read: the rest is a stranger's text.
  static func printable(_ code: String) -> String {
    String(
      code.unicodeScalars.prefix(longest).filter {
        $0.isASCII && ($0.properties.isAlphabetic || "_-.0123456789".unicodeScalars.contains($0))
      }.map(Character.init))
  }
}
