/// Runs `body` beside others: until it ends, or one of the others throws. Then what still runs is cancelled; of the others one may end before.
func beside<Result: Sendable>(
  _ others: [@Sendable () async throws -> Void], _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await body() }
    for other in others {
      group.addTask {
        try await other()
        return nil
      }
    }
    defer { group.cancelAll() }
    while let ended = try await group.next() { if let ended { return ended } }
    throw CancellationError()
  }
}
