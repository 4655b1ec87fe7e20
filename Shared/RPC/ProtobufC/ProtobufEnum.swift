/// A Swift enum with the values of a protobuf enum. StubGenerator writes the conformances.
///
/// Every number is read; one without a name becomes the case `unrecognized`. In a request it is refused: see ``RequestDecoder``.
public protocol ProtobufEnum: Sendable, Hashable, CaseIterable {
  /// Full name, such as `tandem.identity.v1.Gender`.
  static var protobufName: String { get }
  /// The value with this number.
  init(rawValue: Int32)
  /// The value's number.
  var rawValue: Int32 { get }
}
