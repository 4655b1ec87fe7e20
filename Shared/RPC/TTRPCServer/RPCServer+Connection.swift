import Logging
import LoopExecutor
import NIOCore
import ProtobufC
import TTRPC

extension RPCServer {
  /// The handler of one connection, for a channel that a test or a fuzzer feeds by hand.
  ///
  /// - Parameter executor: the one of the channel's loop.
  package static func connection(
    answering router: Router, limits: Limits, on executor: LoopExecutor, logger: Logger
  ) -> any ChannelInboundHandler & Sendable {
    ServerConnection(
      executor: executor, arena: Arena(), router: router, interceptors: [], tracer: nil,
      load: ServerLoad(limits, logger: logger), network: .unknown, logger: logger)
  }
}
