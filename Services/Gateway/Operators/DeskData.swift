import GatewayPages
import GatewayProtocols
import HTTPTypes
import Identifiers
import NIOCore
import TTRPC

/// What the operators' console shows beside the methods: what the processes say at their ports for health and metrics, and what the
/// command line says of jobs, events and the log. Nothing of it is kept here but the metrics of the last hour.
package struct DeskData: Sendable {
  private let replicas: [Replica]
  private let admin: AdminPort
  private let command: OperatorCommand?
  package let history: MetricsHistory
  /// What the console says of this installation.
  private let isDemo: Bool

  private static let maxRows = 500
  private static let maxIDs = 100

  /// - Parameters:
  ///   - command: `nil` where there is no command line beside the gateway.
  ///   - isDemo: whether the installation has a demonstration that may be made anew.
  ///   - now: seconds since 1970.
  package init(
    replicas: [Replica], group: any EventLoopGroup, command: OperatorCommand?, isDemo: Bool,
    now: @escaping @Sendable () -> Int64
  ) {
    (self.replicas, self.command, self.isDemo) = (replicas, command, isDemo)
    admin = AdminPort(group: group)
    history = MetricsHistory(admin: admin, replicas: replicas, now: now)
  }

  /// By their paths.
  func pages(_ detailText: @escaping DetailText) -> [String: Page] {
    func answer(
      _ method: HTTPRequest.Method, _ act: @escaping @Sendable (QueryParameters) async throws -> DeskJSON
    ) -> Page { Page([method]) { request in await Self.answer(request, detailText, act) } }
    var pages = [
      "/desk/about": answer(.get) { _ in about },
      "/desk/health": answer(.get) { _ in await processes("/readyz", "readiness") },
      "/desk/settings": answer(.get) { _ in await processes("/settings", "settings") },
      "/desk/metrics": answer(.get) { _ in history.json },
      "/desk/consumers": answer(.get) { _ in history.consumers },
      "/desk/jobs": answer(.get) { try await run(["jobs", "list"] + Self.jobFilter($0) + Self.limit($0)) },
      "/desk/jobs/retry": answer(.post) { try await run(["jobs", "retry"] + Self.ids($0)) },
      "/desk/events": answer(.get) { try await run(["events", "list"] + Self.limit($0)) },
      "/desk/log": answer(.get) { try await run(["log"] + Self.service($0) + Self.limit($0)) },
    ]
    for change in ["retry", "skip"] {
      pages["/desk/events/\(change)"] = answer(.post) { try await run(["events", change] + Self.ids($0)) }
    }
    if isDemo { pages["/desk/demo/reset"] = answer(.post) { _ in try await run(["demo", "reset", "--yes"]) } }
    return pages
  }

  private static func answer(
    _ request: PageRequest, _ detailText: DetailText, _ act: (QueryParameters) async throws -> DeskJSON
  ) async -> Output {
    do {
      let json = try await act(try QueryParameters(request.head.path ?? "")).bytes
      return .answer(200, "application/json", json, [(.cacheControl, "private, no-store")])
    } catch {
      return WebCall.failure(error as? Status ?? Status(.internal, "The request failed"), detailText)
    }
  }

  private var about: DeskJSON {
    .members(["commands": .bool(command != nil), "demo": .bool(isDemo && command != nil)])
  }

  // MARK: The processes

  /// `[{"service":…,"address":…,"status":200,"<name>":…,"error":null}]`, in the order of the settings.
  private func processes(_ path: String, _ name: String) async -> DeskJSON {
    await withTaskGroup(of: (Int, DeskJSON).self) { group in
      for (index, replica) in replicas.enumerated() {
        group.addTask { (index, await process(replica, path, name)) }
      }
      var found: [Int: DeskJSON] = [:]
      for await (index, json) in group { found[index] = json }
      return .list(replicas.indices.compactMap { found[$0] })
    }
  }

  private func process(_ replica: Replica, _ path: String, _ name: String) async -> DeskJSON {
    func told(_ status: Double?, _ content: DeskJSON, _ failure: String?) -> DeskJSON {
      .members([
        "service": .text(replica.service), "address": .text(replica.address), "status": .number(status),
        "\(name)": content, "error": .text(failure),
      ])
    }
    do {
      let page = try await admin.page(path, of: replica)
      guard page.isJSON else { return told(Double(page.status), .number(nil), "it has no \(path)") }
      return told(Double(page.status), .written(page.body), nil)
    } catch {
      return told(nil, .number(nil), "\(error)")
    }
  }

  // MARK: The command line

  private func run(_ words: [String]) async throws -> DeskJSON {
    guard let command else {
      throw Status(.unimplemented, "This gateway has no command line beside it; see the setting operator-command")
    }
    return .written(try await command.run(words))
  }

  private static let services: Set = ["identity", "matching", "catalog", "lending", "tracking", "importer", "gateway"]

  private static func service(_ query: QueryParameters) throws(Status) -> [String] {
    guard let service = query.text("service"), !service.isEmpty else { return [] }
    guard services.contains(service) else { throw Status(.invalidArgument, "There is no service of that name") }
    return ["--service", service]
  }

  private static func jobFilter(_ query: QueryParameters) throws(Status) -> [String] {
    let state = query.text("state") ?? "dead"
    guard ["dead", "waiting", "running", "any"].contains(state) else {
      throw Status(.invalidArgument, "A job's state is dead, waiting, running or any")
    }
    return ["--state", state] + (try service(query))
  }

  private static func limit(_ query: QueryParameters) throws(Status) -> [String] {
    guard let text = query.text("limit") else { return ["--limit", "\(maxRows)"] }
    guard let limit = Int(text), (1...maxRows).contains(limit) else {
      throw Status(.invalidArgument, "The limit is a number from 1 to \(maxRows)")
    }
    return ["--limit", "\(limit)"]
  }

  /// The ids of `ids=…,…`, each read as one.
  private static func ids(_ query: QueryParameters) throws(Status) -> [String] {
    let texts = (query.text("ids") ?? "").split(separator: ",")
    let ids = texts.compactMap { UUID7(String($0)) }
    guard !ids.isEmpty, ids.count == texts.count, ids.count <= maxIDs else {
      throw Status(.invalidArgument, "The ids are 1 to \(maxIDs) UUIDs, separated by commas")
    }
    return ids.map { "\($0)" }
  }
}
