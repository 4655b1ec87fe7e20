import FieldViolations
import struct GoogleProtobuf.FieldMask

/// A field that an update may change: the raw value is its path in the resource, `contact.phone` for example.
public protocol MaskedField: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

extension Violations {
  /// More paths than any resource has fields.
  private static let maxPaths = 100

  /// The fields that an update changes (AIP-134, AIP-161): those that `mask` names, or without a mask `otherwise`.
  ///
  /// A path names a field, the fields beneath it, or with `*` all of them. Every other path is added as a violation, by
  /// its index in the mask.
  ///
  /// - Parameters:
  ///   - mask: the request's `update_mask`.
  ///   - immutable: paths of the resource that an update cannot change.
  ///   - otherwise: the fields that have a value in the request.
  public mutating func fields<Field: MaskedField>(
    named mask: FieldMask?, immutable: Set<String> = [], otherwise: Set<Field>
  ) -> Set<Field> {
    guard let paths = mask?.paths, !paths.isEmpty else { return otherwise }
    guard paths.count <= Self.maxPaths else {
      add("update_mask", "An update_mask has at most \(Self.maxPaths) paths", "FIELD_MASK_TOO_LONG")
      return []
    }
    var named: Set<Field> = []
    for (place, path) in paths.enumerated() {
      let beneath = Field.allCases.filter { path == "*" || $0.rawValue == path || $0.rawValue.hasPrefix("\(path).") }
      named.formUnion(beneath)
      if !beneath.isEmpty { continue }
      if immutable.contains(path) {
        add("update_mask.paths[\(place)]", "\(path) cannot be changed here", "FIELD_IMMUTABLE")
      } else {
        // The path may be any text of any length, so the message does not repeat it.
        add("update_mask.paths[\(place)]", "There is no field of this name", "FIELD_UNKNOWN")
      }
    }
    return named
  }
}
