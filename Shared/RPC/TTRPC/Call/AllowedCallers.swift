/// Whose certificates, or tokens of services, open a method whose access is `service`, as the contract declares it.
///
/// `["catalog"]` is catalog wherever the method is answered, `["identity": ["catalog"]]` catalog where identity answers.
public struct AllowedCallers: Sendable, Hashable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// By the service that answers; by "" wherever.
  private let names: [String: Set<String>]

  /// Those names wherever the method is answered; none of them means nobody.
  public init(arrayLiteral names: String...) {
    self.names = names.isEmpty ? [:] : ["": Set(names)]
  }

  /// The names for each service that answers, and nobody at any other.
  public init(dictionaryLiteral names: (String, Set<String>)...) {
    self.names = Dictionary(names, uniquingKeysWith: { $0.union($1) })
  }

  /// Whether `caller` may call the method where `server` answers.
  func include(_ caller: String, at server: String) -> Bool {
    names[""]?.contains(caller) ?? false || names[server]?.contains(caller) ?? false
  }
}
