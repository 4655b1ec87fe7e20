import ProtobufC
import Synchronization
import TTRPC
import TandemRPC

/// Serves `tandem.rpc.v1.Reflection`: the services of this port and the files that describe them.
final class Reflection: ReflectionService {
  /// Characters of an unknown symbol that the refusal repeats: more than any real symbol has.
  private static let shownLength = 200

  private let services: [String]
  private let sets: @Sendable () -> [[UInt8]]
  /// Made at the first call: most processes never get one.
  private let index = Mutex<DescriptorIndex?>(nil)

  /// - Parameters:
  ///   - services: the full names of the port's services.
  ///   - sets: makes the serialized descriptor sets that together describe them.
  init(services: some Sequence<String>, sets: @escaping @Sendable () -> [[UInt8]]) {
    self.services = services.sorted()
    self.sets = sets
  }

  func listServices(_ request: ListServicesRequest, _ context: CallContext) async throws -> ListServicesResponse {
    ListServicesResponse(services: services)
  }

  func getFileDescriptorSet(
    _ request: GetFileDescriptorSetRequest, _ context: CallContext
  ) async throws -> GetFileDescriptorSetResponse {
    guard !request.symbol.isEmpty else {
      throw Status.invalidArgument([
        .init(field: "symbol", description: "symbol cannot be empty", reason: "REQUIRED")
      ])
    }
    guard let set = try describe(request.symbol) else {
      let shown = request.symbol.unicodeScalars.prefix(Self.shownLength)
      throw Status(
        .notFound, reason: "SYMBOL_NOT_FOUND", "There is no symbol \(String(String.UnicodeScalarView(shown)))")
    }
    return GetFileDescriptorSetResponse(fileDescriptorSet: set)
  }

  private func describe(_ symbol: String) throws(ProtobufError) -> [UInt8]? {
    if let index = index.withLock({ $0 }) { return index.set(declaring: symbol) }
    let made = try DescriptorIndex(sets())
    index.withLock { $0 = $0 ?? made }
    return made.set(declaring: symbol)
  }
}
