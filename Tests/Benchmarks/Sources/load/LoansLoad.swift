import ArgumentParser
import Foundation
import LoopExecutor
import Measure
import NIOSSL
import TTRPC
import TTRPCClient
import TandemLending

/// Lends books over and over at an even rate: each is asked for, accepted, handed over by both and given back by both.
struct LoansLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "loans")

  @Option(help: "The server's port on 127.0.0.1.") var port: Int
  @Option(help: "A PEM file with the authority that signed the server's certificate.") var tlsCa: String
  @Option(
    help: """
      JSON with `pairs` of people (the access tokens `owner` and `borrower`, and the `books` that one lends the other), the `isbn` of all \
      books, and the access token `reader` of somebody with a long list.
      """)
  var plan: String
  @Option(help: "Calls a second.") var rate = 1_000
  @Option(help: "Seconds that count.") var seconds = 5.0
  @Option(help: "Seconds before them.") var warm = 2.0
  @Option(help: "Pages of the borrower's requests that are read.") var pages = 200

  private struct Plan: Decodable {
    struct Pair: Decodable {
      let owner: String
      let borrower: String
      let books: [String]
    }

    let pairs: [Pair]
    let isbn: String
    let reader: String
  }

  func run() async throws {
    let plan = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: URL(fileURLWithPath: plan)))
    let group = LoopGroup(threads: 1)
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(tlsCa)
    let security = RPCClient.Security.tls(try NIOSSLContext(configuration: configuration), serverName: "lending")
    let client = RPCClient(host: "127.0.0.1", port: port, security: security, on: group.executors[0])
    let loans = LoansClient(client)
    let lenders = plan.pairs.flatMap { pair in
      let (owner, borrower) = (Self.options(pair.owner), Self.options(pair.borrower))
      return pair.books.map {
        Lender(loans: loans, owner: owner, borrower: borrower, book: $0, isbn: plan.isbn)
      }
    }
    let seen = try await lend(lenders, on: group.executors[0])
    let listed = try await readPages(loans, Self.options(plan.reader))
    await client.close()
    try await group.shutdown()
    print(seen.merging(["list": Kind(nanoseconds: listed, answered: listed.count)]) { $1 }.json)
  }

  private static func options(_ token: String) -> CallOptions {
    CallOptions(timeout: .seconds(5), metadata: ["authorization": "Bearer \(token)"])
  }

  /// Every book goes its way in a task of its own; together they make so many calls a second.
  private func lend(_ lenders: [Lender], on executor: LoopExecutor) async throws -> Kinds {
    let pause = Double(lenders.count) / Double(rate)
    let begun = monotonicNanoseconds()
    let counts = begun + UInt64(warm * 1e9)..<begun + UInt64((warm + seconds) * 1e9)
    return try await withThrowingTaskGroup(of: Kinds.self) { group in
      for (place, lender) in lenders.enumerated() {
        group.addTask(executorPreference: executor) {
          // Spread over the steps of a loan, so that calls of all kinds occur at the same time.
          let first = begun + UInt64(pause * Lender.steps * Double(place) / Double(lenders.count) * 1e9)
          var pace = Pace(next: first, pause: UInt64(pause * 1e9), counts: counts)
          while pace.next < counts.upperBound { try await lender.lend(&pace) }
          return pace.seen
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
    }
  }

  /// Reads pages of a user's requests one after the other, beginning anew at the end.
  private func readPages(_ loans: LoansClient, _ reader: CallOptions) async throws -> [UInt32] {
    var (latencies, token) = ([UInt32](), "")
    for _ in 0..<pages {
      let begun = monotonicNanoseconds()
      let page = try await loans.listMyRequests(ListMyRequestsRequest(pageSize: 50, pageToken: token), reader)
      latencies.append(UInt32(clamping: monotonicNanoseconds() - begun))
      guard !page.loans.isEmpty else { throw WrongAnswer(page) }
      token = page.nextPageToken
    }
    return latencies
  }
}

/// What was seen of the calls of one kind.
private struct Kind {
  /// How long those took that were due in the time that counts, until after its end.
  var nanoseconds: [UInt32] = []
  /// How many were answered in the time that counts, whenever they were due.
  var answered = 0

  static func + (one: Kind, other: Kind) -> Kind {
    Kind(nanoseconds: one.nanoseconds + other.nanoseconds, answered: one.answered + other.answered)
  }
}

/// What was seen of calls, by what was called.
private typealias Kinds = [String: Kind]

extension Kinds {
  /// The 99th percentile of each, in milliseconds, and how many were answered.
  fileprivate var json: String {
    let parts = map { name, kind in
      let sorted = kind.nanoseconds.sorted()
      let p99 = sorted.isEmpty ? 0 : Double(sorted[Int(Double(sorted.count - 1) * 0.99)]) / 1e6
      return "\"\(name)\":{\"p99_ms\":\(p99),\"calls\":\(kind.answered)}"
    }
    return "{\(parts.sorted().joined(separator: ","))}"
  }
}

/// Calls at even intervals. The delay that a late response causes counts too, as each call is measured from its scheduled time.
private struct Pace {
  var next: UInt64
  let pause: UInt64
  let counts: Range<UInt64>
  var seen: Kinds = [:]

  mutating func call<R>(_ name: String, _ call: () async throws -> R) async throws -> R {
    let due = next
    next += pause
    let now = monotonicNanoseconds()
    // The rate that was asked for is the time between two.
    if due > now { try await Task.sleep(for: .nanoseconds(due - now)) }
    let answer = try await call()
    let end = monotonicNanoseconds()
    if counts.contains(due) { seen[name, default: Kind()].nanoseconds.append(UInt32(clamping: end - due)) }
    if counts.contains(end) { seen[name, default: Kind()].answered += 1 }
    return answer
  }
}

/// Two users of whom one lends the other a book.
private struct Lender: Sendable {
  let loans: LoansClient
  let owner: CallOptions
  let borrower: CallOptions
  let book: String
  let isbn: String

  /// Calls from a request to the end of the return.
  static let steps = 6.0

  func lend(_ pace: inout Pace) async throws {
    let loan = try await pace.call("request") {
      try await loans.requestBook(RequestBookRequest(bookID: book), borrower)
    }
    let pickup = Pickup(place: .point(Point(latitude: 51.5, longitude: -0.1)))
    _ = try await pace.call("accept") {
      try await loans.acceptRequest(AcceptRequestRequest(loanID: loan.loanID, pickup: pickup), owner)
    }
    for options in [owner, borrower] {
      _ = try await pace.call("scan") {
        try await loans.confirmHandover(ConfirmHandoverRequest(loanID: loan.loanID, isbn: isbn), options)
      }
    }
    for options in [borrower, owner] {
      let back = try await pace.call("scan") {
        try await loans.confirmReturn(ConfirmReturnRequest(loanID: loan.loanID, isbn: isbn), options)
      }
      guard back.bookID == book else { throw WrongAnswer(back) }
    }
  }
}
