import Base64
import Cryptography
import HTTPTypes
import TTRPC

/// A cookie whose content only gateways with the key can read, and no script ever: `__Host-` binds it to this host, `SameSite=Strict` to
/// requests from its own pages.
package struct SealedCookie: Sendable {
  let name: String
  private let seal: Seal

  /// Bytes that every browser keeps of one cookie (RFC 6265, section 6.1), less its name and attributes.
  private static let maxBytes = 3_900
  private static let attributes = "Path=/; HttpOnly; Secure; SameSite=Strict"

  /// - Parameter purpose: a part of the cookie's name; the content of one is of no use as that of another.
  package init(_ purpose: String, seal: Seal) {
    name = "__Host-tandem-\(purpose)"
    self.seal = seal
  }

  /// The value of `Set-Cookie`: texts without line breaks, kept for some seconds.
  package func field(_ texts: [String], lasts seconds: Int64) throws -> String {
    let sealed = try seal.seal(Array(texts.joined(separator: "\n").utf8), associated: Array(name.utf8))
    let value = Base64URL.encode(sealed)
    guard value.utf8.count <= Self.maxBytes else { throw Status(.internal, "A cookie would be too long") }
    return "\(name)=\(value); Max-Age=\(max(0, seconds)); \(Self.attributes)"
  }

  /// The value of `Set-Cookie` that takes the cookie away.
  package var cleared: String { "\(name)=; Max-Age=0; \(Self.attributes)" }

  /// The texts of a request's cookie; `nil` without one, with two, and for one that no gateway with the key has made.
  package func texts(of request: HTTPRequest) -> [String]? {
    let values = request.headerFields[values: .cookie].flatMap { field in
      field.split(separator: ";").compactMap { pair -> Substring? in
        let pair = pair.drop { $0 == " " }
        guard pair.hasPrefix(name + "=") else { return nil }
        return pair.dropFirst(name.utf8.count + 1)
      }
    }
    guard values.count == 1, let sealed = Base64URL.decode(values[0].utf8),
      let text = try? seal.open(sealed, associated: Array(name.utf8))
    else { return nil }
    return String(validating: text, as: UTF8.self)?.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }
}
