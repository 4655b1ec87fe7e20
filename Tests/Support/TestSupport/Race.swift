public import TTRPC
public import TTRPCClient

/// Runs `call` so many times concurrently, the callers spread over `clients`, and returns the outcomes, in no order.
///
/// The clients are closed afterwards.
public func race<R: Sendable>(
  _ callers: Int, over clients: [RPCClient], _ call: @escaping @Sendable (RPCClient, Int) async throws -> R
) async -> [Result<R, any Error>] {
  let results = await withTaskGroup(of: Result<R, any Error>.self) { group in
    for caller in 0..<callers {
      group.addTask {
        do { return .success(try await call(clients[caller % clients.count], caller)) } catch {
          return .failure(error)
        }
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  for client in clients { await client.close() }
  return results
}

extension Array {
  /// The results of the successful calls.
  public func successes<Success, Failure>() -> [Success] where Element == Result<Success, Failure> {
    compactMap { if case .success(let success) = $0 { success } else { nil } }
  }

  /// The statuses of the refused calls.
  public func refusals<Success>() -> [Status] where Element == Result<Success, any Error> {
    compactMap { if case .failure(let error) = $0 { error as? Status } else { nil } }
  }
}
