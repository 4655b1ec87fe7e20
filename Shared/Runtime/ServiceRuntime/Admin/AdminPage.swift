import NIOHTTP1
import Telemetry

/// A response of the admin port, without the network.
struct AdminPage: Sendable {
  var status: HTTPResponseStatus = .ok
  var contentType = "text/plain; charset=utf-8"
  var headers: [(String, String)] = []
  var body: String
}

/// The pages of the admin port.
struct AdminPages: Sendable {
  let readiness: Readiness
  let registry: PrometheusRegistry
  /// Why the process should be restarted; `nil` while it is live.
  var unhealthyReason: @Sendable () -> String? = { nil }
  /// The settings as JSON, without secrets; `nil` where there are none.
  var settings: String?

  /// The response to a request for `uri`; only GET and HEAD exist. Nil when it needs the checks to run:
  /// ``readyPage(accept:)``.
  ///
  /// - Parameter host: the request's `Host`.
  func page(_ method: HTTPMethod, _ uri: String, host: String? = nil) -> AdminPage? {
    let path = uri.prefix { $0 != "?" }
    guard ["/livez", "/readyz", "/metrics"].contains(path) || path == "/settings" && settings != nil else {
      return AdminPage(status: .notFound, body: "there are /livez, /readyz, /metrics and /settings\n")
    }
    guard method == .GET || method == .HEAD else {
      return AdminPage(status: .methodNotAllowed, headers: [("allow", "GET, HEAD")], body: "only GET and HEAD\n")
    }
    switch path {
    case "/livez": return livePage
    case "/metrics": return AdminPage(contentType: PrometheusRegistry.contentType, body: registry.exposition())
    case "/settings": return settingsPage(host)
    default: return nil
    }
  }

  private var livePage: AdminPage {
    guard let reason = unhealthyReason() else { return AdminPage(body: "live\n") }
    return AdminPage(status: .serviceUnavailable, body: "not live: \(reason)\n")
  }

  /// Every setting with its value and where it was set. A page in a browser that reaches the port by a name of its own does not get
  /// them: `localhost` is no name that others can give.
  private func settingsPage(_ host: String?) -> AdminPage {
    let names = ["localhost", "127.0.0.1", "[::1]"]
    guard let host, names.contains(where: { host == $0 || host.hasPrefix("\($0):") }) else {
      return AdminPage(status: .misdirectedRequest, body: "the settings are for Host: localhost\n")
    }
    return AdminPage(contentType: "application/json", body: settings ?? "[]\n")
  }

  /// Runs every check and responds 200 or 503, as JSON when `accept` names it.
  func readyPage(accept: String) async -> AdminPage {
    let isJSON = accept.contains("application/json")
    async let lacks = isJSON ? readiness.lacks() : []
    var report = await readiness.report()
    report.lacks = await lacks
    let status: HTTPResponseStatus = report.isReady ? .ok : .serviceUnavailable
    guard isJSON else { return AdminPage(status: status, body: report.text) }
    return AdminPage(status: status, contentType: "application/json", body: report.json)
  }
}
