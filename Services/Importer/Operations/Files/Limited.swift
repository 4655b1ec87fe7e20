/// Runs `body` until it ends, or one of the limits throws; then the others are cancelled. A limit that returns is over.
func limited<Result: Sendable>(
  by limits: [@Sendable () async throws -> Void], _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await body() }
    for limit in limits {
      group.addTask {
        try await limit()
        return nil
      }
    }
    defer { group.cancelAll() }
    while let ended = try await group.next() { if let ended { return ended } }
    throw CancellationError()
  }
}
