import Reflection
import TTRPC
import TestSupport
import Testing

/// Who may call each method, and which fields the responses have.
///
/// The tables in `Table/` have a row for each method that a service of the suite answers over TCP. A method without a row fails here, and
/// so does a field of a response that its row does not allow for the caller.
@Suite("who may call what", .timeLimit(.minutes(10)))
struct AccessTests {
  @Test("[C-1] every method that any service answers has its row in the table, and every row its method")
  func complete() async throws {
    try await World.with(Set(suite.map { $0.service.name })) { world in
      var seen: Set<String> = []
      for server in world.servers {
        let schema = try await server.schema()
        for service in try await server.services() {
          let tables = AccessTable.all.filter { $0.service == service && ["every", server.name].contains($0.server) }
          for method in schema.services[service]?.methods ?? [] {
            seen.insert("\(service)/\(method.name)")
            let rows = tables.flatMap { $0.rows(method.name) }
            for row in rows { Self.compare(row, service, method, at: server.name) }
            if rows.isEmpty { Issue.record(Self.missing(method, service, server)) }
          }
        }
      }
      for table in AccessTable.all {
        for row in table.rows where !seen.contains("\(table.service)/\(row.method)") {
          Issue.record("\(table.service)/\(row.method) has a row, and no service answers it: remove the row")
        }
      }
    }
  }

  /// The columns of callers without credentials must agree with the access in the contract, and so must those of certificates.
  private static func compare(_ row: AccessTable.Row, _ service: String, _ method: MethodType, at server: String) {
    let expected = [Role.nobody: declared(method)[0], .revoked: declared(method)[5]]
    for (caller, mark) in expected where mark != "ok" {
      #expect(row.outcomes[caller] == mark, "\(service)/\(method.name) is declared \(method.access ?? "public")")
    }
    if declared(method)[0] == "ok" {
      #expect(row.outcomes[.nobody] == "ok", "\(service)/\(method.name) is declared public")
    }
    let callers = method.callers[""] ?? method.callers[server] ?? []
    #expect(row.callers == callers, "\(service)/\(method.name) is declared open to \(callers) at \(server)")
    for caller in [Role.service, .operator] where !row.callers.isEmpty {
      #expect(row.outcomes[caller] == row.mark(of: caller), "\(service)/\(method.name): column and callers differ")
    }
  }

  private static func missing(_ method: MethodType, _ service: String, _ server: RunningServer) -> Comment {
    """
    \(service)/\(method.name) has no row. Say who may call it, under "\(service) at \(server.name)" in \
    Tests/AccessTests/Table, beginning with what it declares; then what the call says and which fields each caller may see:

      \(method.name) \(declared(method).joined(separator: " "))
        callers those whose certificates open it, where it is for services
        request {…}
        answer  \(method.output.split(separator: ".").last ?? "")'s fields, one by one
        answer to owner: those that only the owner may see too
    """
  }

  /// The marks that the declared access implies for each caller; for known users the row has more detail.
  private static func declared(_ method: MethodType) -> [String] {
    switch method.access {
    case "user": ["token", "ok", "ok", "ok", "ok", "session", "token", "token"]
    case "service": ["suite", "service", "service", "service", "service", "service", "caller", "caller"]
    default: Role.columns.map { _ in "ok" }
    }
  }

  @Test(
    "[C-1] every caller of every method gets what the table says, and no field that it does not name",
    arguments: AccessTable.all)
  func table(_ table: AccessTable) async throws {
    let names = table.server == "every" ? Set(suite.map { $0.service.name }) : [table.server]
    try await World.with(names) { world in
      for server in world.servers where table.server == "every" || table.server == server.name {
        let schema = try await server.schema()
        for row in table.rows {
          let someone = try await world.newcomer()
          for caller in row.tried {
            // Of sessions beyond the most that a user has the oldest end, and the clock stands still.
            world.clock.advance(by: .milliseconds(1))
            try await Self.check(row, table.service, caller, someone, at: server, schema, world)
          }
        }
      }
    }
  }

  /// The tables of what the gateway offers: each once, at a server that answers it.
  private static let offered = AccessTable.all.filter { $0.server != "every" || $0.service == "grpc.health.v1.Health" }

  @Test(
    "[GATE-8] through the gateway every caller gets the same, and the methods of services and operators are not there",
    arguments: offered)
  func gateway(_ table: AccessTable) async throws {
    let name = table.server == "every" ? "identity" : table.server
    try await World.with([name]) { world in
      let server = try world.server(name)
      let schema = try await server.schema()
      try await RunningGateway.with(world) { gateway in
        for row in table.rows {
          let someone = try await world.newcomer()
          // No client shows the gateway a certificate: what one says would be the gateway's own.
          for caller in Role.columns where caller.certificate == .none {
            world.clock.advance(by: .milliseconds(1))
            try await Self.check(row, table.service, caller, someone, at: server, schema, world, through: gateway)
          }
        }
      }
    }
  }

  private static func check(
    _ row: AccessTable.Row, _ service: String, _ caller: Role, _ someone: CastMember, at server: RunningServer,
    _ schema: Schema, _ world: World, through gateway: RunningGateway
  ) async throws {
    var scene = Scene(world, caller, someone: someone)
    let isOffered = row.callers.isEmpty
    let outcome = try await scene.outcome(
      of: isOffered ? row : row.withoutRequest, service, at: server, schema, by: .gateway(gateway))
    let expected = isOffered ? AccessTable.marks[row.mark(of: caller)] : (.unimplemented, "")
    compare(outcome, with: expected, row, caller, "\(service)/\(row.method) through the gateway by \(caller.rawValue)")
  }

  private static func check(
    _ row: AccessTable.Row, _ service: String, _ caller: Role, _ someone: CastMember, at server: RunningServer,
    _ schema: Schema, _ world: World
  ) async throws {
    let call = "\(service)/\(row.method) at \(server.name) by \(caller.rawValue)"
    let mark = row.mark(of: caller)
    var scene = Scene(world, caller, someone: someone)
    let outcome = try await scene.outcome(of: row, service, at: server, schema, by: .direct)
    compare(
      outcome, with: AccessTable.marks[schema.knowsUsers || mark != "service" ? mark : "suite"], row, caller, call)
  }

  private static func compare(
    _ outcome: Outcome, with refusal: (code: Code, reason: String)?, _ row: AccessTable.Row, _ caller: Role,
    _ call: String
  ) {
    switch (refusal, outcome) {
    case (nil, .answered(let fields)):
      let (always, perhaps) = row.allowed(caller)
      let (hidden, missing) = (fields.subtracting(always).subtracting(perhaps), always.subtracting(fields))
      #expect(hidden.isEmpty, "\(call): the answer has fields that the table does not name: \(hidden.sorted())")
      #expect(missing.isEmpty, "\(call): the answer has not all fields that the table names: \(missing.sorted())")
    case (let refusal?, .refused(let code, let reason)):
      #expect(refusal.code == code && refusal.reason == reason, "\(call): \(code) \(reason)")
    case (let refusal?, .answered): Issue.record("\(call): it is answered, and not refused with \(refusal.reason)")
    case (nil, .refused(let code, let reason)): Issue.record("\(call): it is refused with \(code) \(reason)")
    }
  }
}

extension Schema {
  /// A service without methods for users does not accept their tokens: a call with one counts as a call without credentials.
  fileprivate var knowsUsers: Bool { services.values.contains { $0.methods.contains { $0.access == "user" } } }
}

extension AccessTable: CustomTestStringConvertible {
  var testDescription: String { "\(service) at \(server)" }
}
