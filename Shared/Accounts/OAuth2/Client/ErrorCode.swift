import Cryptography
import OutboundHTTP

/// The error codes of RFC 6749 and similar ones, which servers choose and users may read.
enum ErrorCode {
  private struct Answer: Decodable {
    let error: String
  }

  private static let maxLength = 64

  /// The failure that a refusal of a token endpoint means.
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

  /// The characters that error codes consist of, cut to a readable length: anything else is untrusted text.
  static func printable(_ code: String) -> String {
    String(
      code.unicodeScalars.prefix(maxLength).filter {
        $0.isASCII && ($0.properties.isAlphabetic || "_-.0123456789".unicodeScalars.contains($0))
      }.map(Character.init))
  }
}
