import ClientAddresses
import LoopExecutor
import TTRPC
import WorkerPool

/// Converts messages that are too long for an event loop, on threads of its own, where the networks of clients take turns; one of them has half
/// of the threads at most. When all places are taken, the network that has most of them loses one.
struct LongMessagePool: Sendable {
  /// With the longest message in each, 6 MiB, they take 192 MiB.
  private static let places = 32

  private let pool = BoundedPool(label: "tandem.messages", workers: LoopGroup.usableCores, places: places)

  /// Why a message was not converted.
  struct Overloaded: Error {}

  /// - Parameter address: the client's.
  /// - Throws: ``Overloaded``, `CancellationError`, what `work` throws.
  func run<Result: Sendable>(
    for address: String, _ work: @escaping @Sendable (borrowing BoundedTurn) throws -> Result
  ) async throws -> Result {
    do {
      let result = try await pool.run(for: ClientNetwork(address: address).description) {
        try work(BoundedTurn(on: $0))
      }
      try Task.checkCancellation()
      return result
    } catch is BoundedPool.Overloaded {
      throw Overloaded()
    }
  }
}
