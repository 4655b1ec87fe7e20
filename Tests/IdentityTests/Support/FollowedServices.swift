import Identifiers
import TTRPC
import TandemEvents
import TestServices
import TestSupport

/// Other services as far as identity follows them, and what identity needs to run with them.
struct FollowedServices: Sendable {
  private let running: [String: RunningService]
  let database: TestDatabase
  let clock: ManualClock
  let certificates: SuiteCertificates

  var matching: RunningService { service(MatchingName.name) }
  var catalog: RunningService { service(CatalogName.name) }
  var lending: RunningService { service(LendingName.name) }
  var importer: RunningService { service(ImporterName.name) }

  private func service(_ name: String) -> RunningService {
    guard let service = running[name] else { preconditionFailure("\(name) does not run in this test") }
    return service
  }

  /// Runs `body` beside services of these names, on a database that identity has its schema in.
  static func with(
    _ names: [any ProducerName.Type], _ body: @escaping @Sendable (FollowedServices) async throws -> Void
  ) async throws {
    try await TestDatabase.with([RunningIdentity.schema] + names.map { schema(of: $0) }) { database in
      let none = FollowedServices(
        running: [:], database: database, clock: ManualClock(), certificates: try SuiteCertificates())
      try await none.joined(by: names, body)
    }
  }

  private static func schema<Name: ProducerName>(of name: Name.Type) -> TestSchema { Producer<Name>.schema }

  private func joined(
    by names: [any ProducerName.Type], _ body: @escaping @Sendable (FollowedServices) async throws -> Void
  ) async throws {
    guard let name = names.first else { return try await body(self) }
    try await joined(by: name) { try await $0.joined(by: Array(names.dropFirst()), body) }
  }

  private func joined<Name: ProducerName>(
    by name: Name.Type, _ body: @escaping @Sendable (FollowedServices) async throws -> Void
  ) async throws {
    try await RunningService.with(
      Producer<Name>.self, on: database, clock: clock, certificates: certificates, as: "identity"
    ) { service in
      let more = running.merging([Name.name: service]) { $1 }
      try await body(
        FollowedServices(running: more, database: database, clock: clock, certificates: certificates))
    }
  }

  /// Runs `body` with a server of identity that follows them; it ends with it.
  func withIdentity(_ body: @escaping @Sendable (RunningIdentity) async throws -> Void) async throws {
    try await RunningIdentity.with(
      on: database, clock: clock, certificates: certificates,
      running.flatMap { ["--\($0.key)-address", "127.0.0.1:\($0.value.port)"] }, body)
  }

  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text) }
}

extension RunningService {
  /// Requests a notification as the service, with its next event.
  func tell(
    _ news: NotificationRequested.News?, to recipients: [String], because key: String, about subject: String = "",
    each subjects: [String] = []
  ) async throws {
    try await tell([
      NotificationRequested(
        notificationKey: key, recipientIds: recipients, subject: subject, recipientSubjects: subjects, news: news)
    ])
  }
}

/// An arbitrary id.
func someID(_ number: Int) -> String {
  UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)).description
}
