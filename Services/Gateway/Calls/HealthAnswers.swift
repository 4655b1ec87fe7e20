/// What services last said of their health. Each is asked once a second at most, however many streams watch it.
actor HealthAnswers {
  private struct Answer {
    let time: ContinuousClock.Instant
    let asked: Task<[UInt8], any Error>
  }

  static let timeout = Duration.seconds(5)
  private static let age = Duration.milliseconds(900)

  /// By the request, which names one of the contract's services.
  private var answers: [[UInt8]: Answer] = [:]

  func answer(
    to request: [UInt8], asking: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8] {
    if let known = answers[request], .now - known.time < Self.age { return try await known.asked.value }
    // Not a part of the call that asks first: the others wait for it, too, when that one's client leaves.
    let asked = Task { try await asking() }
    answers[request] = Answer(time: .now, asked: asked)
    return try await asked.value
  }
}
