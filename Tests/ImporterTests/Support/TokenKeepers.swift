import Cryptography
import Environment
import Identifiers
import ImporterStore
import Logging
import LoopExecutor
import OAuth2
import OutboundHTTP
import Postgres
import ServiceRuntime
import TestServices
import TestSupport

@testable import ImporterOperations
@testable import importer

/// What keeps tokens, as in several replicas.
struct TokenKeepers: Sendable {
  let all: [TokenKeeper]
  fileprivate let outbound: OutboundClient
  fileprivate let running: Task<Void, any Error>

  /// Closes their connections.
  func stop() async {
    running.cancel()
    // It ends by the cancellation.
    _ = await running.result
  }
}

extension RunningImporter {
  /// So many keepers of tokens on the service's database.
  ///
  /// - Parameter key: the id of the key that they seal with; that of the service is retired by another.
  func keepers(_ count: Int, key: String = "test") throws -> TokenKeepers {
    let own = runtime.settings
    let outbound = try ImporterSettings.providerClient(own, on: runtime.loops.eventLoops, clock: clock)
    let present = SealKey(id: "test", bytes: [UInt8](repeating: 7, count: 32))
    let new = SealKey(id: "new", bytes: [UInt8](repeating: 8, count: 32))
    guard let present, let new else { throw CancellationError() }
    let seal = key == "test" ? Seal(current: present) : Seal(current: new, retired: [present])
    let providers = try ImporterSettings.providers(own)
    let keepers = (0..<count).map { _ in
      TokenKeeper(
        database: self.own, environment: runtime.environment, seal: seal, outbound: outbound, providers: providers,
        logger: .criticalOnly("tests"))
    }
    return TokenKeepers(all: keepers, outbound: outbound, running: Task { try await outbound.run() })
  }
}
