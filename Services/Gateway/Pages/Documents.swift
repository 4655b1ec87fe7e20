import ContractRules
import GatewayProtocols
import ServiceLifecycle
import Synchronization

/// `/openapi.json` and `/docs`: made once when the program starts, off the event loops; a request before that waits.
public final class Documents: Service {
  struct Made: Sendable {
    let openAPI: StoredAnswer
    let page: StoredAnswer
  }

  private enum State {
    case waiting([CheckedContinuation<Made?, Never>])
    case made(Made)
    /// The program ends, or the descriptors cannot be read.
    case failed
  }

  private let state = Mutex(State.waiting([]))
  private let sets: @Sendable () -> [[UInt8]]
  private let access: @Sendable (String) -> MethodRules.Access?

  /// - Parameters:
  ///   - sets: serialized `google.protobuf.FileDescriptorSet`s.
  ///   - access: who may call the method of a path; `nil` for one that the port does not offer.
  public init(
    descriptorSets sets: @escaping @Sendable () -> [[UInt8]],
    access: @escaping @Sendable (_ path: String) -> MethodRules.Access?
  ) {
    (self.sets, self.access) = (sets, access)
  }

  public func run() async throws {
    defer { settle(nil) }
    let document = try OpenAPIDocument(descriptorSets: sets(), access: access).json
    settle(
      Made(
        openAPI: StoredAnswer("application/json", document.serialized),
        page: StoredAnswer(
          "text/html; charset=utf-8", DocumentationPage.html(of: document), PageAnswer.security)))
    try await gracefulShutdown()
  }

  /// `nil` where they could not be made.
  func made() async -> Made? {
    await withCheckedContinuation { continuation in
      let now: Made?? = state.withLock { state in
        switch state {
        case .waiting(let others):
          state = .waiting(others + [continuation])
          return nil
        case .made(let made): return .some(made)
        case .failed: return .some(nil)
        }
      }
      if let now { continuation.resume(returning: now) }
    }
  }

  private func settle(_ made: Made?) {
    let waiting: [CheckedContinuation<Made?, Never>] = state.withLock { state in
      guard case .waiting(let continuations) = state else { return [] }
      state = made.map(State.made) ?? .failed
      return continuations
    }
    for continuation in waiting { continuation.resume(returning: made) }
  }
}
