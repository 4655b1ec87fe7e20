import DequeModule
import Dispatch
import Postgres
import Synchronization

/// Databases with the same schemas, made ahead of the tests that will take them.
///
/// Each is a copy of one migrated template. A copy takes longer than a test should wait, so two threads create copies while tests run, as
/// many as tests use at once, and later reset the used ones.
final class TestDatabasePool: Sendable {
  private struct State {
    var ready: [String] = []
    var used: [String] = []
    var waiting = Deque<UnsafeContinuation<String, any Error>>()
    var inUse = 0
    var serial = 0
    var making = 0
    var isStarted = false
    var failure: (any Error)?
  }

  private enum Job {
    case make(String)
    case reset(String)
  }

  /// More ready databases than this would outrun any machine's tests.
  private static let maxReady = 16
  private static let makers = 2

  private let schemas: [TestSchema]
  private let cluster: TestCluster
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let prefix = "test_\(UInt32.random(in: 0...UInt32.max))_"

  private init(_ schemas: [TestSchema], _ cluster: TestCluster) {
    self.schemas = schemas
    self.cluster = cluster
  }

  private static let pools = Mutex<[[TestSchema]: TestDatabasePool]>([:])

  /// The process's pool for `schemas`.
  static func of(_ schemas: [TestSchema], on cluster: TestCluster) -> TestDatabasePool {
    pools.withLock {
      if let pool = $0[schemas] { return pool }
      let pool = TestDatabasePool(schemas, cluster)
      $0[schemas] = pool
      return pool
    }
  }

  /// A new database's name.
  func take() async throws -> String {
    try await withUnsafeThrowingContinuation { continuation in
      let (known, starts) = state.withLock { state -> (Result<String, any Error>?, Bool) in
        defer { state.isStarted = true }
        state.inUse += 1
        if let failure = state.failure { return (.failure(failure), !state.isStarted) }
        if let name = state.ready.popLast() { return (.success(name), !state.isStarted) }
        state.waiting.append(continuation)
        return (nil, !state.isStarted)
      }
      if let known { continuation.resume(with: known) }
      if starts, !BackgroundThread.start({ self.start() }) { fail(ClusterError("no thread to make databases")) }
      work.signal()
    }
  }

  /// Takes back a database that no test needs any more.
  func giveBack(_ name: String) {
    state.withLock {
      $0.inUse -= 1
      $0.used.append(name)
    }
    work.signal()
  }

  private func start() {
    do {
      let template = try TestTemplate.name(of: schemas, on: cluster)
      for _ in 1..<Self.makers { _ = BackgroundThread.start { self.make(from: template) } }
      make(from: template)
    } catch {
      fail(error)
    }
  }

  /// Creates and drops databases until the process ends.
  private func make(from template: String) {
    do {
      try Administration.blockingSession(cluster.url) { session in
        while true {
          while let job = next() {
            switch job {
            case .make(let name):
              try session.run("create database \(name) template \(template) strategy file_copy")
              deliver(name)
            case .reset(let name):
              if try TestReset.run(url: cluster.url(database: name)) {
                deliver(name)
              } else {
                deliver(nil)
                try session.run("drop database \(name) with (force)")
              }
            }
          }
          work.wait()
        }
      }
    } catch {
      fail(error)
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      if let used = state.used.popLast() {
        state.making += 1
        return .reset(used)
      }
      let wanted = state.waiting.count + min(Self.maxReady, max(1, state.inUse))
      guard state.ready.count + state.making < wanted else { return nil }
      state.making += 1
      state.serial += 1
      return .make("\(prefix)\(state.serial)")
    }
  }

  /// Ends a job; `name` is the resulting database.
  private func deliver(_ name: String?) {
    let waiting = state.withLock { state -> UnsafeContinuation<String, any Error>? in
      state.making -= 1
      guard let name else { return nil }
      if let waiting = state.waiting.popFirst() { return waiting }
      state.ready.append(name)
      return nil
    }
    if let name { waiting?.resume(returning: name) }
  }

  private func fail(_ error: any Error) {
    let waiting = state.withLock { state in
      state.failure = error
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for one in waiting { one.resume(throwing: error) }
  }
}
