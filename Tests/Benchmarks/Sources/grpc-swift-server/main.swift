import Foundation
import GRPCCore
import GRPCEcho
import GRPCNIOTransportHTTP2
import GRPCProtobuf

// Serves the unary echo by grpc-swift-2 on any free port, says which, and runs until it is ended.

var router = RPCRouter<HTTP2ServerTransport.Posix>()
router.registerHandler(
  forMethod: unaryEcho, deserializer: ProtobufDeserializer<Msg>(), serializer: ProtobufSerializer<Msg>()
) { request, _ in
  let message = try await ServerRequest(stream: request).message
  return StreamingServerResponse(single: ServerResponse(message: message))
}
let server = GRPCServer(
  transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext), router: router)

try await withThrowingTaskGroup(of: Void.self) { group in
  group.addTask { try await server.serve() }
  if let address = try await server.listeningAddress?.ipv4 {
    print("listening on \(address.host):\(address.port)")
    fflush(nil)
  }
  try await group.waitForAll()
}
