import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import TTRPC
import TestSupport
import Testing

/// The built gateway before the services of a world, called by Connect in JSON over HTTP/2.
struct RunningGateway: Sendable {
  private let url: String
  private let client: HTTPClient

  /// Runs `body` while the gateway answers.
  static func with(_ world: World, _ body: (RunningGateway) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-gateway-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ready = folder.appending(path: "ready.json")
    let process = try start(world, ready)
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    let address = try await eventually("the gateway answers") {
      try #require(process.isRunning, "the gateway has ended")
      return try? JSONDecoder().decode([String: Ignored].self, from: Data(contentsOf: ready))["rpc"]?.text
    }
    var security = TLSConfiguration.makeClientConfiguration()
    security.trustRoots = .file(world.certificates.authorityFile)
    security.certificateVerification = .noHostnameVerification
    let client = HTTPClient(
      eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: security, decompression: .disabled))
    do {
      try await body(RunningGateway(url: "https://\(address)", client: client))
    } catch {
      try await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }

  private static func start(_ world: World, _ ready: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "gateway")
    // More than the table asks in a second.
    let settings = [
      "listen": "127.0.0.1:0", "admin-listen": "127.0.0.1:0", "ready-file": ready.path(percentEncoded: false),
      "max-requests-per-address": "100000", "max-calls-per-token": "100000", "threads": "1", "log-level": "error",
    ]
    let services = world.servers.map { ("\($0.name)-address", "127.0.0.1:\($0.port)") }
    process.arguments =
      try world.certificates.settings(of: "gateway")
      + (settings.map { ($0.key, $0.value) } + services).flatMap { ["--\($0.0)", $0.1] }
    process.environment = [:]
    try Children.start { try process.run() }
    return process
  }

  /// A value of the ready file, of which only texts matter.
  private struct Ignored: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
  }

  /// Makes a call, and returns its answers in JSON.
  ///
  /// - Parameters:
  ///   - requests: in JSON.
  ///   - wanted: the answers after which a stream is left.
  /// - Throws: the status with which the call is refused.
  func answers(
    _ path: String, isStream: Bool, _ requests: [String], wanted: Int, token: String?
  ) async throws -> [String] {
    var request = HTTPClientRequest(url: "\(url)/\(path)")
    request.method = .POST
    request.headers.add(name: "content-type", value: isStream ? "application/connect+json" : "application/json")
    if let token { request.headers.add(name: "authorization", value: token) }
    let messages = requests.map { Array($0.utf8) }
    request.body = .bytes(isStream ? messages.flatMap { Self.envelope($0) } : messages.first ?? Array("{}".utf8))
    let response = try await client.execute(request, timeout: .seconds(60))
    guard response.status == .ok, isStream else {
      let body = try await response.body.collect(upTo: 16 << 20)
      guard response.status == .ok else { throw try Failure(body).status }
      return [String(buffer: body)]
    }
    return try await Self.messages(of: response.body, wanted)
  }

  /// The envelopes of a stream without the last, which says how it ended.
  private static func messages(of body: HTTPClientResponse.Body, _ wanted: Int) async throws -> [String] {
    var (waiting, answers) = (ByteBuffer(), [String]())
    for try await piece in body {
      waiting.writeImmutableBuffer(piece)
      while let length: UInt32 = waiting.getInteger(at: waiting.readerIndex + 1),
        waiting.readableBytes >= 5 + Int(length), let flags: UInt8 = waiting.readInteger()
      {
        waiting.moveReaderIndex(forwardBy: 4)
        guard let message = waiting.readSlice(length: Int(length)) else { return answers }
        if flags & 2 != 0 {
          if let failure = try End(message).error { throw failure.status }
          return answers
        }
        answers.append(String(buffer: message))
        if answers.count == wanted { return answers }
      }
    }
    throw Status(.internal, "The stream has no end")
  }

  private static func envelope(_ message: [UInt8]) -> [UInt8] {
    [0] + withUnsafeBytes(of: UInt32(message.count).bigEndian, Array.init) + message
  }
}

/// How a stream of Connect ended.
private struct End: Decodable {
  let error: Failure?

  init(_ json: ByteBuffer) throws { self = try JSONDecoder().decode(End.self, from: Data(json.readableBytesView)) }
}

/// Connect's error.
private struct Failure: Decodable {
  let code: String
  let message: String?
  let details: [Detail]?

  struct Detail: Decodable {
    let type: String
    let debug: Text?
  }

  struct Text: Decodable {
    let reason: String?
  }

  init(_ json: ByteBuffer) throws { self = try JSONDecoder().decode(Failure.self, from: Data(json.readableBytesView)) }

  var status: Status {
    let name = code == "canceled" ? Code.cancelled.name : code.uppercased()
    let code = Code.allCases.first { $0.name == name } ?? .unknown
    let reason = details?.lazy.filter { $0.type == "google.rpc.ErrorInfo" }.compactMap { $0.debug?.reason }.first
    return reason.map { Status(code, reason: $0, message ?? "") } ?? Status(code, message ?? "")
  }
}
