import GatewayText
import ProtobufC
import TTRPC

/// Writes the JSON of a status's details, for readers without protobuf; `nil` for one that cannot be written.
public typealias DetailText = @Sendable (StatusDetail) -> [UInt8]?

extension Code {
  /// The name in Connect's errors: that of gRPC in lower case, but for `canceled`.
  public var connectName: String { self == .cancelled ? "canceled" : name.lowercased() }

  /// The HTTP status of a Connect error, by the table of its specification.
  public var httpStatus: Int {
    switch self {
    case .ok: 200
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    case .unknown, .internal, .dataLoss: 500
    }
  }
}

extension Status {
  /// A Connect error: `{"code":…,"message":…,"details":[{"type":…,"value":…,"debug":…}]}`.
  func connectJSON(_ text: DetailText) -> [UInt8] {
    var out = Array("{\"code\":\"\(code.connectName)\"".utf8)
    if !message.isEmpty {
      out += Array(",\"message\":".utf8)
      Self.append(message, to: &out)
    }
    if !details.isEmpty {
      out += Array(",\"details\":[".utf8)
      for (index, detail) in details.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        out += Array("{\"type\":".utf8)
        Self.append(String(detail.typeURL.split(separator: "/").last ?? ""), to: &out)
        out += Array(",\"value\":\"".utf8)
        detail.value.withUnsafeBufferPointer { Base64Text.append($0, to: &out, padded: false) }
        out.append(UInt8(ascii: "\""))
        if let debug = text(detail) { out += Array(",\"debug\":".utf8) + debug }
        out.append(UInt8(ascii: "}"))
      }
      out.append(UInt8(ascii: "]"))
    }
    out.append(UInt8(ascii: "}"))
    return out
  }

  private static func append(_ text: String, to out: inout [UInt8]) {
    Array(text.utf8).withUnsafeBufferPointer { appendJSONString($0, to: &out) }
  }

  /// gRPC's `grpc-message`: percent-encoded beyond the printable characters of ASCII.
  var grpcMessage: String {
    var out: [UInt8] = []
    for byte in message.utf8 {
      if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
        out.append(byte)
      } else {
        out.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] { out.append(digit < 10 ? 0x30 + digit : 0x41 + digit - 10) }
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// gRPC's `grpc-status-details-bin`: the `google.rpc.Status` in base64; `nil` where there are no details.
  var grpcDetails: String? {
    guard !details.isEmpty else { return nil }
    var out: [UInt8] = []
    wire.serialized().withUnsafeBufferPointer { Base64Text.append($0, to: &out, padded: false) }
    return String(decoding: out, as: UTF8.self)
  }
}
