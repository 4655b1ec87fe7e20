public import ProtobufC
public import ProtobufDescriptor

/// What the contract says about a message that is an event: the option `event` that `tandem/rpc/v1/options.proto` declares.
public struct EventRules: Sendable, Equatable {
  public let topic: String
  /// The names of the fields that make the key.
  public let key: [String]
  /// The name of the field that is the key where that is empty; `nil` for none.
  public let keyIfEmpty: String?

  private static let option: UInt32 = 50001

  /// Reads the options of a message; `nil` for one that is not an event.
  ///
  /// - Throws: when the option is not what its declaration says.
  public init?(_ options: MessageOptions?) throws(ProtobufError) {
    guard let field = options?.unknownFields.last(where: { $0.number == Self.option }) else { return nil }
    guard let content = field.content else { throw .malformed }
    var (topic, key, keyIfEmpty): (String, [String], String?) = ("", [], nil)
    try Array(content).withUnsafeBufferPointer { bytes throws(ProtobufError) in
      var fields = WireReader(UnsafeRawBufferPointer(bytes))
      while let field = try fields.next() {
        switch (field.number, field.content) {
        case (1, .delimited(let text)): topic = String(decoding: text, as: UTF8.self)
        case (2, .delimited(let text)): key.append(String(decoding: text, as: UTF8.self))
        case (3, .delimited(let text)): keyIfEmpty = String(decoding: text, as: UTF8.self)
        default: break
        }
      }
    }
    (self.topic, self.key, self.keyIfEmpty) = (topic, key, keyIfEmpty)
  }
}
