import GRPCHealth
import TTRPC

/// Answers `grpc.health.v1.Health`: the service is serving when every readiness check is well.
struct Health: HealthService {
  let readiness: Readiness
  /// The services that the port answers; the empty name stands for all of them.
  let services: Set<String>

  func check(_ request: HealthCheckRequest, _ context: CallContext) async throws -> HealthCheckResponse {
    guard isKnown(request.service) else {
      throw Status(.notFound, reason: "UNKNOWN_SERVICE", "This port serves no \(request.service)")
    }
    return HealthCheckResponse(status: await status)
  }

  func watch(
    _ request: HealthCheckRequest, _ responses: MessageWriter<HealthCheckResponse>, _ context: CallContext
  ) async throws {
    var last: HealthCheckResponse.ServingStatus?
    while true {
      let now = isKnown(request.service) ? await status : .serviceUnknown
      if now != last { try await responses.send(HealthCheckResponse(status: now)) }
      last = now
      try await Task.sleep(for: .seconds(1))
    }
  }

  private func isKnown(_ service: String) -> Bool {
    service.isEmpty || services.contains(service)
  }

  private var status: HealthCheckResponse.ServingStatus {
    get async { await readiness.report().isReady ? .serving : .notServing }
  }
}
