import Cryptography
import Identifiers
import ProviderDocuments

/// An HTTP request of a provider to our webhook, as it came.
package struct WebhookCall: Sendable {
  package let method: String
  package let query: [String: String]
  /// By lower-case names.
  package let headers: [String: String]
  package let body: [UInt8]

  package init(method: String, query: [String: String], headers: [String: String], body: [UInt8]) {
    (self.method, self.query, self.headers, self.body) = (method, query, headers, body)
  }
}

/// What a call of a webhook says.
package enum WebhookNotice: Sendable, Equatable {
  /// The provider checks that the webhook is ours: answer with this.
  case challenge(WebhookReply)
  /// Something of this user is new: an activity, by the provider's id of it, or anything; the time that the provider gives, if any.
  case change(subject: String, activity: String? = nil, at: Instant?)
  /// The user has deleted an activity at the provider, by its id of it.
  case deletion(subject: String, activity: String, at: Instant?)
  /// The user has revoked the consent at the provider.
  case revocation(subject: String, at: Instant?)
  /// Nothing that concerns imports.
  case nothing
}

package struct WebhookReply: Sendable, Equatable {
  package var status = 200
  package var contentType = ""
  package var body: [UInt8] = []

  package init() {}
  init(json: String) { (contentType, body) = ("application/json", Array(json.utf8)) }
}

/// Why a call of a webhook is refused.
package enum WebhookRefusal: Error, Sendable, Hashable {
  case untrusted
  case malformed
}

/// Reads the calls of a provider's webhook.
package protocol ProviderWebhook: Sendable {
  /// Checks that the call is the provider's, by the secret that both know, and reads it.
  func read(_ call: WebhookCall, secret: String) throws(WebhookRefusal) -> WebhookNotice
}

extension WebhookCall {
  /// Whether `given` is the secret, in constant time.
  static func isSecret(_ given: String?, _ secret: String) -> Bool {
    guard let given else { return false }
    return Digest.constantTimeEquals(Digest.sha256(given.utf8), Digest.sha256(secret.utf8))
  }

  /// The body as JSON.
  func json() throws(WebhookRefusal) -> JSONValue {
    guard let value = JSONValue(short: body) else { throw .malformed }
    return value
  }

  /// The body as a form.
  var form: [String: String] {
    let pairs = String(decoding: body, as: UTF8.self).split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.unescaped)
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private static func unescaped(_ text: Substring) -> String {
    var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text.utf8)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
