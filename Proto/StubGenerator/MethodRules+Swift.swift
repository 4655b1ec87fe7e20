import ContractRules

extension MethodRules {
  /// The longest frame of the wire.
  private static let frameBytes = 4_194_304
  /// What calls for its clients may forward their addresses, and nothing else.
  private static let gateway = "gateway"

  /// The arguments of `MethodDescriptor` that say this.
  func declared(isIdempotent: Bool) -> String {
    var arguments = ["access: .\(access ?? .public)", "idempotent: \(isIdempotent)"]
    if let everywhere = callers[""] {
      arguments.append("callers: [\(Self.listed(everywhere))]")
    } else if !callers.isEmpty {
      let servers = callers.sorted { $0.key < $1.key }.map { "\"\($0.key)\": [\(Self.listed($0.value))]" }
      arguments.append("callers: [\(servers.joined(separator: ", "))]")
    }
    if let maxRequestBytes { arguments.append("maxRequestBytes: \(maxRequestBytes)") }
    return arguments.joined(separator: ", ")
  }

  private static func listed(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// What is wrong with them, and its cure; `nil` when nothing is.
  ///
  /// - Parameter isOwn: whether the contract is the suite's, which has to say who may call each method.
  func complaint(ofOwn isOwn: Bool) -> String? {
    if access == nil, isOwn {
      return "declares no access; add `option (tandem.rpc.v1.access) = ACCESS_USER;` or ACCESS_PUBLIC or ACCESS_SERVICE"
    }
    if let maxRequestBytes, !(1...Self.frameBytes).contains(maxRequestBytes) {
      return "its max_request_bytes is not within 1 and \(Self.frameBytes)"
    }
    guard access == .service else {
      return callers.isEmpty ? nil : "declares callers, which only a method with ACCESS_SERVICE has; remove them"
    }
    return complaintAboutCallers
  }

  private var complaintAboutCallers: String? {
    if callers.isEmpty || callers.values.contains(where: \.isEmpty) {
      return "declares no callers; add `option (tandem.rpc.v1.callers) = \"NAME\";` for each service that may call it"
    }
    if callers[""] != nil, callers.count > 1 {
      return "declares callers and callers_at; keep one of the two"
    }
    if let wrong = callers.keys.first(where: { $0 != "" && !Self.isName($0) }) {
      return "its server \"\(wrong)\" is no name of a service"
    }
    for names in callers.values {
      if let wrong = names.first(where: { !Self.isName($0) }) {
        return "its caller \"\(wrong)\" is no name of a certificate: a-z, 0-9 and -, at most 63 characters"
      }
      if names.contains(Self.gateway) {
        return "its caller is a gateway, which may only forward its clients' addresses"
      }
      if Set(names).count < names.count { return "declares a caller twice" }
    }
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
