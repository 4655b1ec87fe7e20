import HTTPTypes

/// What a protocol needs to know of a method.
public struct CallShape: Sendable, Equatable {
  public var clientStreams: Bool
  public var serverStreams: Bool
  /// Whether it changes nothing, so that a GET may call it.
  public var hasNoSideEffects: Bool
  /// Bytes of the longest message in protobuf.
  public var maxMessageBytes: Int

  public init(clientStreams: Bool, serverStreams: Bool, hasNoSideEffects: Bool, maxMessageBytes: Int) {
    self.clientStreams = clientStreams
    self.serverStreams = serverStreams
    self.hasNoSideEffects = hasNoSideEffects
    self.maxMessageBytes = maxMessageBytes
  }

  var isUnary: Bool { !clientStreams && !serverStreams }
}

/// The version of HTTP that a request came by.
public enum HTTPVersion: Sendable {
  /// One request after the other; the answer may begin only when the request has ended.
  case http1
  case http2
}

/// How messages are written.
public enum Codec: String, Sendable {
  case proto, json

  /// The longest message as it is written: JSON may take six bytes for one, and a frame is never longer than 6 MiB.
  func limit(_ bytes: Int) -> Int {
    switch self {
    case .proto: bytes
    case .json: min(bytes > 1 << 20 ? .max : bytes * 6 + 1_024, 6 << 20)
    }
  }
}

/// The protocol of a call, and how its messages are written.
public enum Dialect: Sendable, Hashable {
  /// One message in the body, POST.
  case connectUnary
  /// One message in the query, GET.
  case connectGet
  case connectStream
  case grpc
  case grpcWeb
  /// The same in base64.
  case grpcWebText
  /// The messages of a WebSocket, in JSON.
  case webSocket

  /// The name in metrics.
  public var name: String {
    switch self {
    case .connectUnary, .connectGet, .connectStream: "connect"
    case .grpc: "grpc"
    case .grpcWeb, .grpcWebText: "grpc-web"
    case .webSocket: "websocket"
    }
  }

  /// Whether its fields and its errors are Connect's.
  var isConnect: Bool {
    switch self {
    case .connectUnary, .connectGet, .connectStream, .webSocket: true
    case .grpc, .grpcWeb, .grpcWebText: false
    }
  }
}

/// The content types, each a dialect with a codec.
enum ContentType {
  private static let all: [String: (Dialect, Codec)] = [
    "application/json": (.connectUnary, .json), "application/proto": (.connectUnary, .proto),
    "application/connect+json": (.connectStream, .json), "application/connect+proto": (.connectStream, .proto),
    "application/grpc": (.grpc, .proto), "application/grpc+proto": (.grpc, .proto),
    "application/grpc+json": (.grpc, .json), "application/grpc-web": (.grpcWeb, .proto),
    "application/grpc-web+proto": (.grpcWeb, .proto), "application/grpc-web+json": (.grpcWeb, .json),
    "application/grpc-web-text": (.grpcWebText, .proto), "application/grpc-web-text+proto": (.grpcWebText, .proto),
  ]

  /// What a content type stands for; parameters such as `charset=utf-8` are of no account.
  static func read(_ text: String) -> (type: String, dialect: Dialect, codec: Codec)? {
    let type = text.prefix { $0 != ";" }.lowercased().split(separator: " ").joined()
    guard let (dialect, codec) = all[type] else { return nil }
    return (type, dialect, codec)
  }

  /// For `Accept-Post`: those that a method can be called with.
  static func offered(_ shape: CallShape) -> String {
    all.filter { ($0.value.0 == .connectUnary) == shape.isUnary || !$0.value.0.isConnect }.keys.sorted()
      .joined(separator: ", ")
  }
}
