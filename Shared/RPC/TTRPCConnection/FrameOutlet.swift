import LoopExecutor
import TTRPC

/// The sending side of a stream whose messages leave through the output of a connection.
package protocol FrameOutlet: StreamOutlet {
  var executor: LoopExecutor { get }
  var output: FrameOutput { get }
}

extension FrameOutlet {
  package var isOnLoop: Bool { executor.loop.inEventLoop }

  package func execute(_ work: @escaping @Sendable () -> Void) { executor.loop.execute(work) }

  package var mayQueue: Bool { output.mayQueue }

  package var hasRoom: Bool { output.hasRoom }

  package func reserve(_ bytes: Int) -> Bool { output.reserve(bytes) }

  package func release(_ bytes: Int, _ queue: () throws(Status) -> Void) throws(Status) {
    try output.release(bytes, queue)
  }

  package func release(_ bytes: Int) { output.release(bytes) {} }

  package func wait(_ sender: WaitingSender, _ continuation: UnsafeContinuation<Void, Never>) {
    output.wait(sender, continuation)
  }

  package func release(_ sender: WaitingSender) { output.release(sender) }
}
