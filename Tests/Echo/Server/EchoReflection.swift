import EchoV1
import TTRPC
import TandemRPC

/// `tandem.rpc.v1.Reflection` for one contract, so that `tandem rpc` can call it.
struct EchoReflection: ReflectionService {
  func listServices(_ request: ListServicesRequest, _ context: CallContext) async throws -> ListServicesResponse {
    ListServicesResponse(services: [Echo.serviceName])
  }

  func getFileDescriptorSet(
    _ request: GetFileDescriptorSetRequest, _ context: CallContext
  ) async throws -> GetFileDescriptorSetResponse {
    guard request.symbol.hasPrefix("echo.v1.") else {
      throw Status(.notFound, reason: "SYMBOL_NOT_FOUND", "There is no symbol \(request.symbol)")
    }
    return GetFileDescriptorSetResponse(fileDescriptorSet: EchoV1.FileDescriptors.serialized)
  }
}
