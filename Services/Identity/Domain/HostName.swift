/// RFC 5321's `Domain`: labels of letters, digits and inner hyphens.
enum HostName {
  private static let maximumLength = 253
  private static let maximumLabelLength = 63

  static func isDomain(_ text: Substring.UTF8View) -> Bool {
    (1...maximumLength).contains(text.count)
      && text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isLabel)
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...maximumLabelLength).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
  }
}

/// RFC 5321's `address-literal` (section 4.1.3) of IPv4 and IPv6: `[192.0.2.1]`, `[IPv6:2001:db8::1]`.
enum AddressLiteral {
  private static let colon = UInt8(ascii: ":")

  static func isValid(_ text: Substring.UTF8View) -> Bool {
    guard text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"), text.count > 2 else { return false }
    let content = text.dropFirst().dropLast()
    let tag = content.prefix(5).map { $0 == colon || isDigit($0) ? $0 : $0 | 0x20 }
    return tag == Array("ipv6:".utf8) ? isIPv6(content.dropFirst(5)) : isIPv4(content)
  }

  private static func isIPv4(_ text: Substring.UTF8View) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(isDigit) && part.reduce(0) { $0 * 10 + Int($1 - 48) } <= 255
      }
  }

  /// Eight groups, or six followed by an IPv4 address; `::` at most once, for at least two groups.
  private static func isIPv6(_ text: Substring.UTF8View) -> Bool {
    guard let halves = splitAtDoubleColon(text), let last = halves.last else { return false }
    var groups = halves.map { $0.isEmpty ? [] : $0.split(separator: colon, omittingEmptySubsequences: false) }
    var wanted = 8
    if let tail = groups.last?.last, last.contains(UInt8(ascii: ".")) {
      guard isIPv4(tail) else { return false }
      groups[groups.count - 1].removeLast()
      wanted = 6
    }
    let count = groups.reduce(0) { $0 + $1.count }
    guard halves.count == 1 ? count == wanted : count <= wanted - 2 else { return false }
    return groups.allSatisfy { $0.allSatisfy(isGroup) }
  }

  /// The text before and after `::`; one part when there is none; `nil` when there are two.
  private static func splitAtDoubleColon(_ text: Substring.UTF8View) -> [Substring.UTF8View]? {
    var (index, found): (Substring.UTF8View.Index, Substring.UTF8View.Index?) = (text.startIndex, nil)
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index] == colon, next < text.endIndex, text[next] == colon {
        guard found == nil else { return nil }
        found = index
        index = next
      }
      index = text.index(after: index)
    }
    guard let found else { return [text] }
    return [text[..<found], text[text.index(found, offsetBy: 2)...]]
  }

  private static func isGroup(_ group: Substring.UTF8View) -> Bool {
    (1...4).contains(group.count)
      && group.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }
  }
}
