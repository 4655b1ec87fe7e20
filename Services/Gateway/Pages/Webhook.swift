import GatewayProtocols
import HTTPTypes
import TTRPC
import TandemImporter

/// `/webhooks/{provider}`: passes a call of a tracker's provider on as it came, and answers what the service says. The signature is of the
/// bytes of the body, which nothing reads on the way.
enum Webhook {
  /// As the contract has them.
  private static let maxBodyBytes = 64 << 10
  private static let maxFields = 100

  static func page(_ provider: String, _ calls: SuiteCalls, _ detailText: @escaping DetailText) -> Page {
    var page = Page([.get, .post]) { request in
      do {
        let client = TrackersClient(try calls.client(of: "importer", for: request))
        return answer(try await client.receiveWebhook(try call(provider, request), calls.options(for: request)))
      } catch {
        return WebCall.failure(SuiteCalls.status(of: error), detailText)
      }
    }
    page.maxBodyBytes = maxBodyBytes
    return page
  }

  private static func call(_ provider: String, _ request: PageRequest) throws(Status) -> ReceiveWebhookRequest {
    var call = ReceiveWebhookRequest()
    call.provider = provider
    call.method = request.head.method.rawValue
    call.query = try QueryParameters(request.head.path ?? "").texts.map { WebhookField(name: $0, value: $1) }
    call.headers = request.head.headerFields.prefix(maxFields).map {
      WebhookField(name: $0.name.canonicalName, value: $0.value)
    }
    call.body = request.body
    return call
  }

  private static func answer(_ response: ReceiveWebhookResponse) -> Output {
    let status = (200...599).contains(response.status) ? Int(response.status) : 500
    let type = response.contentType.isEmpty ? "text/plain; charset=utf-8" : response.contentType
    return .answer(status, type, response.body, [(.cacheControl, "no-store")])
  }
}
