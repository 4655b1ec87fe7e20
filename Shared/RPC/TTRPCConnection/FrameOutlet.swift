import LoopExecutor
import NIOCore
import TTRPC

/// The sending side of a stream whose messages leave through the output of a connection.
@usableFromInline
package protocol FrameOutlet: StreamOutlet {
  var executor: LoopExecutor { get }
  var output: FrameOutput { get }
}

// Inlinable, so that each kind of call has its own rather than one that asks the call for both.
extension FrameOutlet {
  @inlinable
  package var isOnLoop: Bool { executor.loop.inEventLoop }

  @inlinable
  package func execute(_ work: @escaping @Sendable () -> Void) { executor.loop.execute(work) }

  @inlinable
  package var mayQueue: Bool { output.mayQueue }

  @inlinable
  package var hasRoom: Bool { output.hasRoom }

  @inlinable
  package func reserve(_ bytes: Int) -> Bool { output.reserve(bytes) }

  @inlinable
  package func release(_ bytes: Int, _ queue: () throws(Status) -> Void) throws(Status) {
    try output.release(bytes, queue)
  }

  @inlinable
  package func release(_ bytes: Int) { output.release(bytes) }

  @inlinable
  package func wait(_ sender: WaitingSender, _ continuation: UnsafeContinuation<Void, Never>) {
    output.wait(sender, continuation)
  }

  @inlinable
  package func release(_ sender: WaitingSender) { output.release(sender) }
}
