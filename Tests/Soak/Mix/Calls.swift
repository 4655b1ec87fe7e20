import EchoV1
import SeededNumbers
import TTRPC

/// The calls of one caller, drawn one after the other.
struct Calls {
  private let echo: EchoClient
  private let caller: Int
  private var random: SplitMix
  private var number = 0

  init(_ channel: any RPCChannel, caller: Int, seed: UInt64) {
    echo = EchoClient(channel)
    self.caller = caller
    random = SplitMix(seed: seed &* 1_000_003 &+ UInt64(caller))
  }

  /// Makes the next call and checks its answer.
  ///
  /// - Throws: ``WrongAnswer``; the call's own failure where it should have succeeded.
  mutating func next() async throws {
    number += 1
    let text = "\(caller)/\(number)"
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55: try await unary(text)
    case 55..<57: try await big()
    case 57..<62: try await failure(text)
    case 62..<66: try await lateAnswer()
    case 66..<70: try await cancelledCall()
    case 70..<78: try await expand(text)
    case 78..<84: try await collect(text)
    case 84..<92: try await chat(text)
    case 92..<95: try await leftStream(text)
    case 95..<97: try await abandonedUpload(text)
    default: try await failedStream(text)
    }
  }

  private func unary(_ text: String) async throws {
    try require(try await echo.unary(Msg(value: text)).value == text, "unary")
  }

  private mutating func big() async throws {
    let size = Int.random(in: 1...1_000_000, using: &random)
    try require(try await echo.big(Msg(value: "\(size)")).value.utf8.count == size, "big")
  }

  private func failure(_ text: String) async throws {
    try await expect(.failedPrecondition) { _ = try await echo.fail(Msg(value: text)) }
  }

  private mutating func lateAnswer() async throws {
    let limit = Duration.milliseconds(Int.random(in: 1...20, using: &random))
    try await expect(.deadlineExceeded) {
      _ = try await echo.sleep(Msg(value: "5000"), CallOptions(timeout: limit))
    }
  }

  private func cancelledCall() async throws {
    let echo = echo
    let call = Task { _ = try await echo.sleep(Msg(value: "20")) }
    await Task.yield()
    call.cancel()
    do { try await call.value } catch is CancellationError {}
  }

  private mutating func expand(_ text: String) async throws {
    let count = Int.random(in: 0...500, using: &random)
    let seen = try await echo.expand(Msg(value: "\(text):\(count)")) { responses in
      var index = 0
      for try await response in responses {
        try require(response.value == "\(text):\(count)/\(index)", "expand")
        index += 1
      }
      return index
    }
    try require(seen == count, "expand: \(seen) of \(count)")
  }

  private mutating func collect(_ text: String) async throws {
    let values = (0..<Int.random(in: 0...200, using: &random)).map { "\(text)-\($0)" }
    let answer = try await echo.collect { writer in
      for value in values { try await writer.send(Msg(value: value)) }
    }
    try require(answer.value == values.joined(separator: ","), "collect")
  }

  private mutating func chat(_ text: String) async throws {
    let count = Int.random(in: 0...50, using: &random)
    try await echo.chat { writer, responses in
      var iterator = responses.makeAsyncIterator()
      for index in 0..<count {
        try await writer.send(Msg(value: "\(text)/\(index)"))
        let answer = try await iterator.next()
        try require(answer?.value == "\(text)/\(index)", "chat")
      }
      writer.finish()
      let end = try await iterator.next()
      try require(end == nil, "chat: no end")
    }
  }

  private func leftStream(_ text: String) async throws {
    try await echo.expand(Msg(value: "\(text):100000")) { responses in
      for try await _ in responses { break }
    }
  }

  private func abandonedUpload(_ text: String) async throws {
    struct Left: Error {}
    do {
      _ = try await echo.collect { writer in
        try await writer.send(Msg(value: text))
        throw Left()
      }
    } catch is Left {}
  }

  private func failedStream(_ text: String) async throws {
    try await expect(.failedPrecondition) {
      try await echo.expandFail(Msg(value: text)) { responses in for try await _ in responses {} }
    }
  }

  private func expect(_ code: Code, _ call: () async throws -> Void) async throws {
    do { try await call() } catch let status as Status where status.code == code { return }
    throw WrongAnswer(description: "no \(code.name)")
  }
}

private func require(_ isRight: Bool, _ what: String) throws {
  guard isRight else { throw WrongAnswer(description: what) }
}

/// An answer that is not what was asked for.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}
