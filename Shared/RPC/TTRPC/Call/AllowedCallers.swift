/// The services that may call a method whose access is `service`, as the contract declares them; a certificate or a
/// service's token names the caller.
///
/// `["catalog"]` is catalog wherever the method is answered, `["identity": ["catalog"]]` catalog where identity
/// answers.
public struct AllowedCallers: Sendable, Hashable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// By the service that answers; the key "" is for any.
  private let names: [String: Set<String>]

  /// These callers wherever the method is answered; an empty list allows no caller.
  public init(arrayLiteral names: String...) {
    self.names = names.isEmpty ? [:] : ["": Set(names)]
  }

  /// The callers for each service that answers; no caller at any other service.
  public init(dictionaryLiteral names: (String, Set<String>)...) {
    self.names = Dictionary(names, uniquingKeysWith: { $0.union($1) })
  }

  /// Whether `caller` may call the method where `server` answers.
  func include(_ caller: String, at server: String) -> Bool {
    names[""]?.contains(caller) ?? false || names[server]?.contains(caller) ?? false
  }
}
