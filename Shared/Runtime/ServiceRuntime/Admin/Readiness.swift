import Synchronization
import JSONText

/// Whether the service can work now, as named checks; a check returns nil when it passes, else the reason.
public final class Readiness: Sendable {
  /// One check: nil, or a reason for the operator.
  public typealias Check = @Sendable () async -> String?

  /// A fact about the service, such as its version or its schema's; nil while it is unknown.
  public typealias Fact = @Sendable () -> String?

  /// Whether something is there; nil while that is unknown.
  public typealias Presence = @Sendable () async throws -> Bool?

  private let checks = Mutex<[(name: String, check: Check)]>([])
  private let facts = Mutex<[(name: String, fact: Fact)]>([])
  private let expectations = Mutex<[(lack: Lack, isMet: Presence)]>([])
  private let timeout: Duration

  /// - Parameter timeout: how long one check may take before it counts as failed; probes of orchestrators commonly
  ///   give up after a second or more.
  public init(timeout: Duration = .milliseconds(800)) { self.timeout = timeout }

  /// Adds a check; results are shown in the order of addition.
  public func add(_ name: String, _ check: @escaping Check) {
    checks.withLock { $0.append((name, check)) }
  }

  /// Adds a fact for operators; readiness does not depend on it.
  public func describe(_ name: String, _ fact: @escaping Fact) {
    facts.withLock { $0.append((name, fact)) }
  }

  /// Adds what users need and the service can do without; readiness does not depend on it.
  public func expect(_ lack: Lack, _ isMet: @escaping Presence) {
    expectations.withLock { $0.append((lack, isMet)) }
  }

  /// What is not there now, in the order of addition; what is unknown, or takes too long, is left out.
  public func lacks() async -> [Lack] {
    let expectations = self.expectations.withLock { $0 }
    let timeout = self.timeout
    return await withTaskGroup(of: Int?.self) { group in
      for (index, expectation) in expectations.enumerated() {
        group.addTask {
          let answer = await Self.ask({ await Self.lacks(expectation.isMet) ? Self.lacking : nil }, timeout: timeout)
          return answer == Self.lacking ? index : nil
        }
      }
      var missing: [Int] = []
      for await index in group { if let index { missing.append(index) } }
      return missing.sorted().map { expectations[$0].lack }
    }
  }

  private static let lacking = "lacking"

  private static func lacks(_ isMet: Presence) async -> Bool {
    // What cannot be asked is unknown; the checks say why.
    do { return try await isMet() == false } catch { return false }
  }

  /// Runs every check, all at once.
  public func report() async -> ReadinessReport {
    let checks = self.checks.withLock { $0 }
    let timeout = self.timeout
    let facts = self.facts.withLock { $0 }.map { ($0.name, $0.fact()) }
    return await withTaskGroup(of: (Int, String?).self) { group in
      for (index, entry) in checks.enumerated() {
        group.addTask { (index, await Self.ask(entry.check, timeout: timeout)) }
      }
      var results: [String?] = Array(repeating: nil, count: checks.count)
      for await (index, result) in group { results[index] = result }
      return ReadinessReport(results: zip(checks, results).map { ($0.name, $1) }, facts: facts)
    }
  }

  private static func ask(_ check: @escaping Check, timeout: Duration) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { await check() }
      group.addTask {
        // The time limit of a check; the group cancels this task when the check returns first.
        do { try await Task.sleep(for: timeout) } catch { return "cancelled" }
        return "no answer within \(timeout)"
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}

/// The results of all checks at one moment.
public struct ReadinessReport: Sendable {
  /// By check: nil where it passed, else the reason.
  public let results: [(name: String, failure: String?)]

  /// By name; nil where it is unknown.
  public var facts: [(name: String, value: String?)] = []

  /// What does not work for lack of data or settings.
  public var lacks: [Lack] = []

  /// Whether every check passed.
  public var isReady: Bool { results.allSatisfy { $0.failure == nil } }

  /// A line for the whole, then a line for each check.
  var text: String {
    results.reduce(into: isReady ? "ready\n" : "not ready\n") { $0 += "\($1.name): \($1.failure ?? "ok")\n" }
  }

  /// `{"ready":false,"checks":{"database":"no connection"},"facts":{"version":"0.1.0"},"lacks":[]}`; a check that passed
  /// is `"ok"`, an unknown fact null.
  var json: String {
    let checks = results.map { "\(JSONText.quoted($0.name)):\(JSONText.quoted($0.failure ?? "ok"))" }.joined(
      separator: ",")
    let facts = facts.map { "\(JSONText.quoted($0.name)):\($0.value.map(JSONText.quoted) ?? "null")" }.joined(
      separator: ",")
    let lacks = lacks.map(\.json).joined(separator: ",")
    return "{\"ready\":\(isReady),\"checks\":{\(checks)},\"facts\":{\(facts)},\"lacks\":[\(lacks)]}\n"
  }
}
