import TTRPC
import TandemRPC

/// A reason with which a call was refused: that of its status, or of one of its invalid fields.
public struct ObservedRefusal: Sendable, Hashable {
  /// The method that was called.
  public let method: MethodDescriptor
  /// `LOAN_NOT_FOUND`.
  public let reason: String
  /// Whether the contract names it for the method, or for any.
  public let isInContract: Bool
}

/// Reports each reason with which calls are refused, so that a test can compare them with the contract ([C-3]).
///
/// A class, because each call copies its interceptors.
final class RefusalObservation: ServerInterceptor {
  private let refusals: [String: [String: Set<String>]]
  private let report: @Sendable (ObservedRefusal) -> Void

  init(_ services: [any RPCService], _ report: @escaping @Sendable (ObservedRefusal) -> Void) {
    refusals = Dictionary(
      services.map { (type(of: $0).serviceName, type(of: $0).refusals) }, uniquingKeysWith: { first, _ in first })
    self.report = report
  }

  private static let ofAnyMethod = Set(RPCReason.allCases.map(\.rawValue))

  func callEnds(_ call: CallContext, _ outcome: CallOutcome) {
    guard let failure = outcome.failure, let named = refusals[call.method.service]?[call.method.name, default: []]
    else {
      return
    }
    let reasons = [failure.errorInfo?.reason] + (failure.badRequest?.fieldViolations.map(\.reason) ?? [])
    for case let reason? in reasons {
      report(
        ObservedRefusal(
          method: call.method, reason: reason,
          isInContract: named.contains(reason) || Self.ofAnyMethod.contains(reason)))
    }
  }
}
