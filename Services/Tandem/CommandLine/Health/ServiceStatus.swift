import GRPCHealth
import LoopExecutor
import Postgres
import Reflection
import TTRPC
import TTRPCClient

/// The status of a service as observed from outside.
struct ServiceStatus: Sendable {
  let service: SuiteService
  let address: String
  /// "serving", or the reason why it is not.
  let health: String
  let isServing: Bool
  let version: String?
  let schemaVersion: String?
  let database: String?
  /// What does not work for lack of data or of a setting.
  let lacks: [MissingPart]

  var json: JSONValue {
    .members([
      "service": .string(service.rawValue), "address": .string(address), "health": .string(health),
      "serving": .bool(isServing), "version": version.map(JSONValue.string) ?? .null,
      "schemaVersion": schemaVersion.map(JSONValue.number) ?? .null,
      "database": database.map(JSONValue.string) ?? .null, "lacks": .array(lacks.map(\.json)),
    ])
  }

  /// Queries a service: health by RPC as a client does, everything else at its admin port.
  static func ask(
    _ service: SuiteService, _ target: Target, admin address: (host: String, port: Int), on executor: LoopExecutor
  ) async throws -> ServiceStatus {
    async let admin = BackgroundThread.run { AdminPage.readiness(host: address.host, port: address.port) }
    let health = await health(target, on: executor)
    let page = try await admin
    let facts = page?["facts"]
    let failed = (page?["checks"]?.members ?? []).filter { $0.value != .string("ok") }
    let reasons = failed.map { "\($0.name): \($0.value.string ?? "")" }.joined(separator: "; ")
    return ServiceStatus(
      service: service, address: target.address, health: reasons.isEmpty ? health : "\(health) (\(reasons))",
      isServing: health == serving, version: facts?["version"]?.string,
      schemaVersion: facts?["schema"]?.string, database: facts?["database"]?.string,
      lacks: (page?["lacks"]?.array ?? []).map(MissingPart.init))
  }

  private static let serving = "serving"

  private static func health(_ target: Target, on executor: LoopExecutor) async -> String {
    let connection = RPCClient(host: target.host, port: target.port, security: target.security, on: executor)
    do {
      let answer = try await HealthClient(connection).check(.init(), CallOptions(timeout: .seconds(3)))
      await connection.close()
      return answer.status == .serving ? serving : "not serving"
    } catch {
      await connection.close()
      let code = (error as? Status)?.code
      return code == .unavailable ? "no answer" : code == .deadlineExceeded ? "too slow" : "\(error)"
    }
  }
}

/// Something that a service lacks, as it tells at its admin port.
struct MissingPart: Sendable, Equatable {
  let subject: String
  let effect: String
  /// The command or the setting that mends it.
  let cure: String

  init(_ json: JSONValue) {
    subject = json["subject"]?.string ?? ""
    effect = json["effect"]?.string ?? ""
    cure = json["cure"]?.string ?? ""
  }

  var json: JSONValue {
    .members(["subject": .string(subject), "effect": .string(effect), "cure": .string(cure)])
  }
}
