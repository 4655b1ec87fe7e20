import FieldViolations
import GoogleRPC

extension BadFields: StatusConvertible {
  /// INVALID_ARGUMENT with every bad field in its `BadRequest` ([C-2]). The metadata of its `ErrorInfo` name the failed part of a
  /// rule that has parts by the field.
  public var status: Status {
    // The reason of a single bad field is that of the status; of several, each has its own in the detail.
    let reason = violations.count == 1 ? violations[0].reason : "INVALID_FIELDS"
    var status = Status.invalidArgument(
      violations.map { .init(field: $0.field, description: $0.detail, reason: $0.reason) })
    // The message has the words of the rule; the detail adds which part of it is meant.
    if violations.count == 1 { status.message = violations[0].description }
    let parts = violations.compactMap { violation in violation.part.map { (violation.field, $0.name) } }
    status.details.removeAll { $0.typeURL.hasSuffix("/\(ErrorInfo.protobufName)") }
    let info = ErrorInfo(
      reason: reason, domain: Status.domain, metadata: Dictionary(parts, uniquingKeysWith: { first, _ in first }))
    status.details.insert(StatusDetail(info), at: 0)
    return status
  }
}

extension FieldViolation {
  /// The description with the part of the rule, if it has parts.
  fileprivate var detail: String { part.map { "\(description): \($0.text)" } ?? description }
}
