import EchoV1
import GoogleProtobuf
import TTRPC

/// `echo.v1.Echo`, to the letter of its comments.
struct Echo: EchoService {
  func unary(_ request: Msg, _ context: CallContext) async throws -> Msg {
    request
  }

  func meta(_ request: Msg, _ context: CallContext) async throws -> Msg {
    let names = Set(context.metadata.pairs.map { $0.name.lowercased() }).sorted()
    var pairs = names.map { "\($0)=\(context.metadata.values(of: $0).joined(separator: "|"))" }
    if let left = context.deadline?.remaining { pairs.append("timeout=\(Int(left / .milliseconds(1)))") }
    return Msg(value: pairs.joined(separator: ";"))
  }

  func sleep(_ request: Msg, _ context: CallContext) async throws -> Msg {
    // What the method promises: the caller chose the time.
    try await Task.sleep(for: .milliseconds(try number(request)))
    return Msg(value: "slept")
  }

  func fail(_ request: Msg, _ context: CallContext) async throws -> Msg {
    var status = plainFailure(request)
    status.details.append(StatusDetail(StringValue(value: "detail \(request.value)")))
    throw status
  }

  func failPlain(_ request: Msg, _ context: CallContext) async throws -> Msg {
    throw plainFailure(request)
  }

  func big(_ request: Msg, _ context: CallContext) async throws -> Msg {
    Msg(value: String(repeating: "x", count: try number(request)))
  }

  func collect(_ requests: MessageStream<Msg>, _ context: CallContext) async throws -> Msg {
    var values: [String] = []
    for try await request in requests { values.append(request.value) }
    return Msg(value: values.joined(separator: ","))
  }

  func expand(_ request: Msg, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    let parts = request.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let count = parts.count == 2 ? try number(Msg(value: String(parts[1]))) : 3
    for index in 0..<count { try await responses.send(Msg(value: "\(request.value)/\(index)")) }
  }

  func expandFail(_ request: Msg, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    try await responses.send(Msg(value: "one"))
    _ = try await fail(request, context)
  }

  func chat(_ requests: MessageStream<Msg>, _ responses: MessageWriter<Msg>, _ context: CallContext) async throws {
    for try await request in requests { try await responses.send(request) }
  }

  private func plainFailure(_ request: Msg) -> Status {
    Status(.failedPrecondition, "fail: \(request.value)")
  }

  /// The most that the methods which take a number accept: sixteen million milliseconds, or letters.
  private static let largestNumber = 16_000_000

  private func number(_ request: Msg) throws -> Int {
    guard let number = Int(request.value), (0...Self.largestNumber).contains(number) else {
      throw Status.invalidArgument([
        .init(field: "value", description: "value must be a number from 0 to \(Self.largestNumber)", reason: "RANGE")
      ])
    }
    return number
  }
}
