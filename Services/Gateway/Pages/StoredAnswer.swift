import Cryptography
import GatewayProtocols
import HTTPTypes
import Base64

/// A document that is the same for every client: packed once, named by an entity tag.
struct StoredAnswer: Sendable {
  private let contentType: String
  private let body: [UInt8]
  private let packed: [UInt8]?
  private let entityTag: String
  private let fields: [(HTTPField.Name, String)]

  init(_ contentType: String, _ body: [UInt8], _ fields: [(HTTPField.Name, String)] = []) {
    (self.contentType, self.body) = (contentType, body)
    packed = body.count < Compression.smallest ? nil : Gzip.pack(body).flatMap { $0.count < body.count ? $0 : nil }
    entityTag = EntityTag.tag(of: body)
    self.fields = fields
  }

  /// Asks browsers to look for a change each time: what is new comes with the next program.
  func answer(to request: HTTPRequest) -> Output {
    var fields = self.fields
    fields.append((.eTag, entityTag))
    fields.append((.cacheControl, "no-cache"))
    fields.append((.vary, "accept-encoding"))
    if EntityTag.matches(request.headerFields[.ifNoneMatch], entityTag) { return EntityTag.notModified(fields) }
    if let packed, Compression.accepted(by: request.headerFields[.acceptEncoding]) == .gzip {
      fields.append((.contentEncoding, Compression.gzip.rawValue))
      return .answer(200, contentType, packed, fields)
    }
    return .answer(200, contentType, body, fields)
  }
}

/// Entity tags of RFC 9110, section 8.8.3, by content. They are weak: one stands for the packed form, too.
package enum EntityTag {
  package static func tag(of content: some Sequence<UInt8>) -> String {
    "W/\"\(Digest.sha256(content).prefix(16).hexadecimal)\""
  }

  /// Whether the value of `If-None-Match` names the tag.
  package static func matches(_ field: String?, _ tag: String) -> Bool {
    guard let field else { return false }
    let bare = opaque(tag[...])
    return field.split(separator: ",").contains { entry in
      let entry = entry.drop { $0 == " " }
      return entry.prefix { $0 != " " } == "*" || opaque(entry) == bare
    }
  }

  /// What is left of a tag when it is compared weakly.
  private static func opaque(_ tag: Substring) -> Substring {
    let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    return strong.prefix { $0 != " " }
  }

  static func notModified(_ fields: [(HTTPField.Name, String)]) -> Output {
    var head = HTTPResponse(status: .notModified)
    for (name, value) in fields { head.headerFields[name] = value }
    return Output(head: head, isEnd: true)
  }
}
