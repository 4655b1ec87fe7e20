import Reflection
import Synchronization
import TTRPC

/// The output of `-v` for a call, on standard error.
final class CallJournal: Sendable {
  private let isTold: Bool
  private let began: ContinuousClock.Instant
  private let state = Mutex(State())

  private struct State {
    var called: ContinuousClock.Instant?
    var firstAnswer: ContinuousClock.Instant?
    var sent = (messages: 0, bytes: 0)
    var received = (messages: 0, bytes: 0)
  }

  /// - Parameter began: when the command began to connect.
  init(isTold: Bool, began: ContinuousClock.Instant) {
    self.isTold = isTold
    self.began = began
  }

  /// Writes the target, the method and the metadata; secrets are shortened.
  func tellCall(_ name: MethodName, of type: MethodType, at target: Target, _ options: CallOptions) {
    state.withLock { $0.called = .now }
    guard isTold else { return }
    tell("> \(name.service)/\(name.method) (\(type.kind.rawValue)) at \(target.address), \(target.protection)")
    if let timeout = options.timeout { tell("> timeout \(Self.milliseconds(timeout))") }
    for pair in options.metadata.pairs {
      let value = pair.name == "authorization" ? Self.shortened(pair.value) : pair.value
      tell("> \(pair.name): \(value)")
    }
  }

  func sent(_ bytes: Int) {
    state.withLock { $0.sent = ($0.sent.messages + 1, $0.sent.bytes + bytes) }
  }

  func received(_ bytes: Int) {
    state.withLock { state in
      if state.firstAnswer == nil { state.firstAnswer = .now }
      state.received = (state.received.messages + 1, state.received.bytes + bytes)
    }
  }

  /// Writes how the call ended and how long each part took.
  func tellEnd(_ outcome: String) {
    guard isTold else { return }
    let state = state.withLock { $0 }
    let called = state.called ?? began
    let now = ContinuousClock.now
    tell("< \(outcome)")
    tell(
      "< sent \(state.sent.messages) (\(state.sent.bytes) bytes), received \(state.received.messages) (\(state.received.bytes) bytes)"
    )
    tell("* connection and description \(Self.milliseconds(called - began))")
    tell(
      "* first answer \(Self.milliseconds((state.firstAnswer ?? now) - called)), whole call \(Self.milliseconds(now - called))"
    )
    tell("* total \(Self.milliseconds(now - began))")
  }

  /// With three decimal places.
  private static func milliseconds(_ duration: Duration) -> String {
    let microseconds = Int((duration / .microseconds(1)).rounded())
    let fraction = String(microseconds % 1_000)
    return "\(microseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) ms"
  }

  private static func shortened(_ value: String) -> String {
    guard let space = value.firstIndex(of: " ") else { return Shortening.shortened(value) }
    return value[...space] + Shortening.shortened(String(value[value.index(after: space)...]))
  }
}
