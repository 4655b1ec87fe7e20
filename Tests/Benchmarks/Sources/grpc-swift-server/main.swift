import Foundation
import GRPCCore
import GRPCEcho
import GRPCNIOTransportHTTP2
import GRPCProtobuf

// Serves three methods of the echo by grpc-swift-2 on any free port, says which, and runs until it is ended.

var router = RPCRouter<HTTP2ServerTransport.Posix>()
router.registerHandler(
  forMethod: unaryEcho, deserializer: ProtobufDeserializer<Msg>(), serializer: ProtobufSerializer<Msg>()
) { request, _ in
  let message = try await ServerRequest(stream: request).message
  return StreamingServerResponse(single: ServerResponse(message: message))
}
router.registerHandler(
  forMethod: expandEcho, deserializer: ProtobufDeserializer<Msg>(), serializer: ProtobufSerializer<Msg>()
) { request, _ in
  let value = try await ServerRequest(stream: request).message.value
  return StreamingServerResponse { writer in
    for index in 0..<(Int(value.dropFirst(2)) ?? 3) { try await writer.write(Msg("\(value)/\(index)")) }
    return [:]
  }
}
router.registerHandler(
  forMethod: collectEcho, deserializer: ProtobufDeserializer<Msg>(), serializer: ProtobufSerializer<Msg>()
) { request, _ in
  var values: [String] = []
  for try await message in request.messages { values.append(message.value) }
  return StreamingServerResponse(single: ServerResponse(message: Msg(values.joined(separator: ","))))
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
