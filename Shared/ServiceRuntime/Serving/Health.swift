import GRPCHealth
import TTRPC

/// Answers `grpc.health.v1.Health`: the service is serving when every readiness check is well.
struct Health: HealthService {
  let readiness: Readiness
  /// The services that the port answers; the empty name stands for all of them.
  let services: Set<String>

  func check(_ request: HealthCheckRequest, _ context: CallContext) async throws -> HealthCheckResponse {
    guard request.service.isEmpty || services.contains(request.service) else {
      throw Status(.notFound, reason: "UNKNOWN_SERVICE", "This port serves no \(request.service)")
    }
    return HealthCheckResponse(status: await readiness.report().isReady ? .serving : .notServing)
  }
}
