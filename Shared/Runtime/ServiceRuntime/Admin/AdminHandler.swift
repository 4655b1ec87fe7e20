import NIOCore
import NIOHTTP1

/// Answers one connection's requests, one after the other; confined to the connection's event loop.
final class AdminHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// No page takes a body; one that is sent is skipped up to this size, in bytes.
  private static let bodyLimit = 64 * 1024

  private let pages: AdminPages
  private var head: HTTPRequestHead?
  private var bodySize = 0

  init(pages: AdminPages) { self.pages = pages }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      bodySize = 0
    case .body(let bytes):
      bodySize += bytes.readableBytes
      if bodySize > Self.bodyLimit { context.close(promise: nil) }
    case .end:
      guard let head else { return }
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    if let page = pages.page(head.method, head.uri, host: head.headers.first(name: "host")) {
      return send(page, for: head, context)
    }
    let pages = self.pages
    let promise = context.eventLoop.makePromise(of: AdminPage.self)
    promise.completeWithTask { await pages.readyPage(accept: head.headers["accept"].joined(separator: ",")) }
    promise.futureResult.assumeIsolated().whenSuccess { page in
      self.send(page, for: head, context)
    }
  }

  private func send(_ page: AdminPage, for head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    var headers = HTTPHeaders([
      ("content-type", page.contentType), ("content-length", "\(page.body.utf8.count)"), ("cache-control", "no-store"),
    ])
    for (name, value) in page.headers { headers.add(name: name, value: value) }
    if !head.isKeepAlive { headers.add(name: "connection", value: "close") }
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: page.status, headers: headers))),
      promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page.body)))), promise: nil)
    }
    let done = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if !head.isKeepAlive { done.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
