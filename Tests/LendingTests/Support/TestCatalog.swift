import ProtobufC
import Synchronization
import TTRPC
import TandemCatalog

/// What the catalog answers; a journey test runs the real one.
final class TestCatalog: RPCChannel {
  /// Its books by their ids, of which an answer need not be right.
  let books = Mutex<[String: Book]>([:])
  /// Whether it does not answer.
  let isDown = Mutex(false)

  func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response {
    if isDown.withLock({ $0 }) { throw Status.unavailable("it is down") }
    guard let call = request as? LookUpBookRequest else { throw Status(.unimplemented, "no test asks for it") }
    guard let book = books.withLock({ $0[call.bookID] }), let response = book as? Response else {
      throw Status(.notFound, reason: "BOOK_NOT_FOUND", "There is no such book")
    }
    return response
  }

  func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    throw Status(.unimplemented, "no test asks for it")
  }
}
