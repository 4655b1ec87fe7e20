import GatewayProtocols
import HTTPTypes

/// Answers with content that belongs to those who have its link, and that their programs ask for again and again.
enum TaggedAnswer {
  static func answer(_ contentType: String, _ body: [UInt8], tag: String, to request: HTTPRequest) -> Output {
    var fields: [(HTTPField.Name, String)] = PageAnswer.security
    fields.append((.eTag, tag))
    fields.append((.cacheControl, "private, no-cache"))
    if EntityTag.matches(request.headerFields[.ifNoneMatch], tag) { return EntityTag.notModified(fields) }
    return .answer(200, contentType, body, fields)
  }
}
