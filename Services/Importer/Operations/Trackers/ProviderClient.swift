import FoundationEssentials
import OutboundHTTP
import ProviderAdapters
import ProviderDocuments

/// Sends the requests of adapters, and refuses what no adapter may read.
struct ProviderClient: Sendable {
  let outbound: OutboundClient

  /// What a provider answered.
  struct Answer: Sendable {
    let data: DataAnswer
    let retryAfter: Duration?
  }

  /// - Parameter token: the access token, which goes to the provider's own endpoints alone: redirections are not followed.
  func send(
    _ request: DataRequest, to provider: ConfiguredProvider, token: String
  ) async throws(OutboundFailure) -> Answer {
    var headers: [(name: String, value: String)] = [("accept", "application/json"), ("accept-encoding", "identity")]
    if request.credentials == .accessToken { headers.append(("authorization", "Bearer \(token)")) }
    var url = request.path.hasPrefix("/") ? provider.endpoints.data + request.path : request.path
    var fields = FormFields([:])
    for field in request.fields { fields.append(field.name, field.value) }
    let content: OutboundRequest.Content
    switch request.method {
    case .get:
      if !request.fields.isEmpty { url += "?" + fields.encoded }
      content = .none
    case .post: content = request.json.map { .json($0) } ?? .form(fields)
    case .delete: content = .deletion
    }
    let answer = try await outbound.send(
      OutboundRequest(url, sending: content, headers: headers, maxAnswerLength: JSONValue.maxLength))
    return Answer(
      data: DataAnswer(status: answer.status, body: answer.body, headers: answer.headers),
      retryAfter: answer.retryAfter)
  }
}

extension DataAnswer {
  /// Whether the body is what an adapter reads: uncompressed JSON by its header fields. Compressed bodies are not requested,
  /// and a small one may become a huge one.
  var isPlainJSON: Bool {
    let coding = headers["content-encoding"]?.lowercased() ?? "identity"
    let type = headers["content-type"]?.lowercased() ?? ""
    return coding == "identity" && (type.contains("json") || body.isEmpty)
  }
}
