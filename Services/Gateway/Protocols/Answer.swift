import HTTPTypes

/// What a protocol writes next: a part of an answer, in order.
public struct Output: Sendable, Equatable {
  /// The head, before everything else.
  public var head: HTTPResponse?
  public var body: [UInt8]
  /// The trailers, where the protocol has them; only with the end.
  public var trailers: HTTPFields?
  /// Whether the answer is complete.
  public var isEnd: Bool

  public init(head: HTTPResponse? = nil, body: [UInt8] = [], trailers: HTTPFields? = nil, isEnd: Bool = false) {
    self.head = head
    self.body = body
    self.trailers = trailers
    self.isEnd = isEnd
  }

  /// A complete answer.
  public static func answer(
    _ code: Int, _ contentType: String, _ body: [UInt8], _ fields: [(HTTPField.Name, String)] = []
  ) -> Output {
    var head = HTTPResponse(status: .init(code: code))
    head.headerFields[.contentType] = contentType
    head.headerFields[.contentLength] = "\(body.count)"
    // What the type says is what a browser takes it for.
    head.headerFields[.nosniff] = "nosniff"
    for (name, value) in fields { head.headerFields[name] = value }
    return Output(head: head, body: body, isEnd: true)
  }
}
