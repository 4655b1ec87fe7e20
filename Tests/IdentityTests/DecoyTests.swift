import Cryptography
import ServiceRuntime
import Synchronization
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("what a login costs for a name that nobody has", .timeLimit(.minutes(5)))
struct DecoyTests {
  private static let wrong = "not the password"

  @Test("[ID-5] after a change of parameters an unknown name's login costs what those of the stored hashes do")
  func afterChange() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(EarlierIdentity.self, on: database, clock: clock) { identity in
        try await identity.verified()
      }
      try await RunningIdentity.with(NotingIdentity.self, on: database, clock: clock) { identity in
        for name in ["ada", "nobody", "no.one", "nobody@example.com"] {
          _ = try await refusal {
            try await identity.accounts.login(LoginRequest(emailOrUsername: name, password: Self.wrong))
          }
        }
      }
      #expect(NotingIdentity.computed.withLock { $0 } == Array(repeating: EarlierIdentity.parameters, count: 4))
    }
  }

  @Test("[ID-5] while hashes of two costs are stored, unknown names have the one or the other, each always the same")
  func whileChanging() async throws {
    let (cheap, dear) = (ScryptParameters.cheapForTests, try #require(EarlierIdentity.parameters))
    let computed = Computed()
    let hasher = PasswordHasher(cheap, workers: 1, decoyKey: [1, 2, 3], observe: computed.note)
    let replica = PasswordHasher(cheap, workers: 1, decoyKey: [1, 2, 3], observe: computed.note)
    for one in [hasher, replica] { one.imitate([(dear, 30), (cheap, 10)]) }

    for _ in 0..<2 {
      for one in [hasher, replica] {
        for name in 0..<100 { _ = try await one.verify([1], against: nil, of: Array("name\(name)".utf8)) }
      }
    }

    let rounds = computed.all
    let first = Array(rounds.prefix(100))
    #expect((60...90).contains(first.filter { $0 == dear }.count))
    #expect(rounds == first + first + first + first)
  }
}

/// Records what was computed.
private final class Computed: Sendable {
  private let noted = Mutex<[ScryptParameters]>([])

  var all: [ScryptParameters] { noted.withLock { $0 } }

  @Sendable func note(_ parameters: ScryptParameters) { noted.withLock { $0.append(parameters) } }
}

/// The service as it was when the existing accounts were created.
struct EarlierIdentity: TandemService {
  static let service = Identity.service
  static let parameters = ScryptParameters(logN: 5, blockSize: 1, parallelism: 1)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(try #require(parameters), workers: 1))
  }
}

/// The service with other parameters, which records every hash that it computes. For one test.
private struct NotingIdentity: TandemService {
  static let service = Identity.service
  static let computed = Mutex<[ScryptParameters?]>([])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let passwords = PasswordHasher(.cheapForTests, workers: 1) { parameters in
      computed.withLock { $0.append(parameters) }
    }
    return try Identity.build(runtime, passwords: passwords)
  }
}
