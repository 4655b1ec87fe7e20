import GatewayCalls
import GatewayHTTP
import GatewayProtocols
import HTTPTypes
import NIOCore

/// A complete request of a page.
package struct PageRequest: Sendable {
  package let head: HTTPRequest
  package let body: [UInt8]
  /// The client's address.
  package let address: String
  /// The index of the event loop of the connection.
  package let loop: Int
  /// Counts what is done in the name of a user.
  var admission: Gateway.Admission = { _ in }
}

/// A page, or a document: the methods that it takes, and how it is answered.
package struct Page: Sendable {
  let methods: [HTTPRequest.Method]
  let answer: @Sendable (PageRequest) async -> Output
  /// Bytes of the longest body. Forms are short.
  var maxBodyBytes = 16_384
  /// Its path, or the pattern of its paths, for spans; `nil` where no service is called.
  var name: String?

  package init(_ methods: [HTTPRequest.Method], answer: @escaping @Sendable (PageRequest) async -> Output) {
    (self.methods, self.answer) = (methods, answer)
  }
}

/// Collects a request and answers it with a page.
///
/// `@unchecked Sendable`: everything is touched on the event loop of the connection only. The HTTP layer calls there, and the
/// task prefers that loop's executor, to which it returns after each wait.
package final class PageResponder: Responder, @unchecked Sendable {
  private let exchange: Exchange
  private let page: Page
  private var body: [UInt8] = []
  private var task: Task<Void, Never>?
  private var isOver = false

  private let admission: Gateway.Admission
  private let spans: RequestSpans?

  package init(
    _ exchange: Exchange, _ page: Page, admission: @escaping Gateway.Admission = { _ in }, spans: RequestSpans? = nil
  ) {
    (self.exchange, self.page, self.admission, self.spans) = (exchange, page, admission, spans)
  }

  package func receive(_ bytes: ByteBuffer) {
    guard !isOver else { return }
    body.append(contentsOf: bytes.readableBytesView)
    guard body.count > page.maxBodyBytes else { return }
    write(.answer(413, "text/plain; charset=utf-8", Array("The request is too long.\n".utf8)))
  }

  package func receiveEnd() {
    guard !isOver else { return }
    let method = exchange.request.method
    // A page that can be read has a head that can be asked for alone.
    guard page.methods.contains(method == .head ? .get : method) else {
      return write(PageAnswer.notAllowed(page.methods))
    }
    let request = PageRequest(
      head: exchange.request, body: body, address: exchange.address, loop: exchange.executor.index,
      admission: admission)
    task = Task(executorPreference: exchange.executor) { await self.answer(request) }
  }

  private func answer(_ request: PageRequest) async {
    guard let span = page.name.flatMap({ spans?.page($0, exchange) }) else { return write(await page.answer(request)) }
    await span.run {
      let output = await page.answer(request)
      span.end(output.head?.status.code)
      write(output)
    }
  }

  package func leave() {
    isOver = true
    task?.cancel()
  }

  package func becameWritable() {}

  private func write(_ output: Output) {
    guard !isOver else { return }
    isOver = true
    var (head, body) = (output.head, output.body)
    if exchange.request.method == .head {
      body = []
      head?.headerFields[.contentLength] = nil
    }
    exchange.write(head: head, body: body, trailers: nil, isEnd: true)
  }
}
