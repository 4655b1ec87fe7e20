import TestSupport
import Testing

@testable import tandem

/// The loaders of the built programs, as an operator runs them.
@Suite("the database of a loader", .ownThreads, .timeLimit(.minutes(5)))
struct LoaderDatabaseTests {
  private static let secret = "hunter2"
  /// What a URL begins with: its user and the password.
  private static let account = "tandem_catalog:\(secret)"

  /// A command of a service, and its arguments without the file.
  static let loaders: [(service: String, arguments: [String], readsFile: Bool)] = [
    ("catalog", ["load", "gyms"], true), ("catalog", ["load", "books", "--format", "goodbooks"], true),
    ("catalog", ["load", "ratings"], true), ("catalog", ["load", "exercises", "--format", "wger"], true),
    ("catalog", ["load", "workouts"], true), ("catalog", ["load", "samples"], false),
    ("lending", ["load", "places"], true), ("lending", ["load", "samples"], false),
  ]

  /// A URL that no loader can use, and what is said of it.
  private struct Refused {
    let url: String
    let says: String
    let status: Int32
  }

  private static func refused() throws -> [Refused] {
    let server = try TestCluster.shared()
    let nowhere = server.url(database: "no_such_database", role: "postgres", password: secret)
    let wrong = "is not a PostgreSQL URL such as postgresql://user@localhost:5432/tandem"
    let unreadable = "the database URL cannot be read: it looks like postgresql://user:password@host:port/database"
    return [
      Refused(url: "mysql://\(account)@localhost/tandem", says: wrong, status: 2),
      Refused(url: "host=localhost password=\(secret)", says: wrong, status: 2),
      Refused(url: "postgresql://\(account)%zz@localhost/tandem", says: unreadable, status: 1),
      // Without a host, and with what ends a password early.
      Refused(url: "postgresql://\(account)", says: unreadable, status: 1),
      Refused(url: "postgresql://tandem_catalog:a@\(secret)@localhost/tandem", says: unreadable, status: 1),
      Refused(url: "postgresql://tandem_catalog:\(secret)/a@localhost/tandem", says: unreadable, status: 1),
      Refused(url: "postgresql://tandem_catalog:a@b/\(secret)@localhost/tandem", says: unreadable, status: 1),
      Refused(url: nowhere, says: "database \"no_such_database\" does not exist", status: 1),
      Refused(
        url: "\(nowhere)?sslmode=require", says: "server does not support SSL, but SSL was required", status: 1),
      Refused(url: "postgresql://\(account)@127.0.0.1:1/tandem", says: "Connection refused", status: 1),
      Refused(url: "postgresql://\(account)@nowhere.invalid/tandem", says: "nowhere.invalid", status: 1),
    ]
  }

  @Test(
    "[CA-5] [LE-8] a database that a loader cannot use is refused with the reason and without its password",
    arguments: loaders)
  func refusals(service: String, arguments: [String], readsFile: Bool) throws {
    let scratch = try Scratch()
    try scratch.write("", to: "empty")
    let program = "\(Command.folder)/\(service)"
    for refused in try Self.refused() {
      let file = readsFile ? ["\(scratch.path)/empty"] : []
      let ways: [(options: [String], environment: [String: String])] = [
        (["--database-url=\(refused.url)"], [:]), ([], ["TANDEM_DATABASE_URL": refused.url]),
      ]
      for (options, environment) in ways {
        let ending = try Command(program, arguments + file + options, environment: environment).finish()
        let told = ending.errors.split(separator: "\n")
        #expect(ending.status == refused.status && ending.output.isEmpty, "\(refused.url): \(ending)")
        #expect(told.count == 1 && told.allSatisfy { $0.contains(refused.says) }, "\(refused.url): \(ending.errors)")
        #expect(!ending.errors.contains(Self.secret), "\(refused.url): \(ending.errors)")
      }
    }
  }
}
