import GRPCHealth
import TTRPC

/// Serves `grpc.health.v1.Health`: the service is serving when every readiness check passes.
struct Health: HealthService {
  let observation: ReadinessObservation
  /// The services of the port; the empty name stands for all of them.
  let services: Set<String>

  func check(_ request: HealthCheckRequest, _ context: CallContext) async throws -> HealthCheckResponse {
    guard isKnown(request.service) else {
      throw Status(.notFound, reason: "UNKNOWN_SERVICE", "This port serves no \(request.service)")
    }
    return HealthCheckResponse(status: await observation.status())
  }

  func watch(
    _ request: HealthCheckRequest, _ responses: MessageWriter<HealthCheckResponse>, _ context: CallContext
  ) async throws {
    let isKnown = isKnown(request.service)
    var last: HealthCheckResponse.ServingStatus?
    for await seen in observation.statuses() {
      let now = isKnown ? seen : .serviceUnknown
      if now != last { try await responses.send(HealthCheckResponse(status: now)) }
      last = now
    }
  }

  private func isKnown(_ service: String) -> Bool {
    service.isEmpty || services.contains(service)
  }
}
