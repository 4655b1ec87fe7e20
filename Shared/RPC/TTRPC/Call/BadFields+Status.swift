import FieldViolations
import GoogleRPC

extension BadFields: StatusConvertible {
  /// INVALID_ARGUMENT with every bad field in its `BadRequest` ([C-2]).
  public var status: Status {
    // The reason of a single bad field is that of the status; of several, each has its own in the detail.
    let reason = violations.count == 1 ? violations[0].reason : "INVALID_FIELDS"
    var status = Status.invalidArgument(
      violations.map { .init(field: $0.field, description: $0.description, reason: $0.reason) })
    status.details.removeAll { $0.typeURL.hasSuffix("/\(ErrorInfo.protobufName)") }
    status.details.insert(StatusDetail(ErrorInfo(reason: reason, domain: Status.domain)), at: 0)
    return status
  }
}
