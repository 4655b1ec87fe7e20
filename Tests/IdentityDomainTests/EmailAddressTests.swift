import Foundation
import IdentityDomain
import Testing

@Suite struct EmailAddressTests {
  @Test(
    "[ID-2] every case of isemail is judged as its verdict for SMTP says",
    .enabled(if: IsEmail.isPresent, "needs \(IsEmail.file.path), which is not there: the cases of isemail were NOT run")
  )
  func yardstick() throws {
    let cases = try IsEmail.cases()
    #expect(cases.count == 164)
    for one in cases {
      let accepted = EmailAddress(one.address) != nil
      #expect(accepted == one.isValidForSMTP, "case \(one.id), \(one.category): \(one.address.debugDescription)")
    }
  }

  @Test(
    "[ID-2] addresses that SMTP can carry are accepted",
    arguments: [
      "a@b.org", "first.last+tag@sub-domain.example", "!#$%&'*+-/=?^_`{|}~@example.com", #""quoted text"@example.com"#,
      #""\"@\\"@example.com"#, "a@xn--bcher-kva.example", "a@[192.0.2.1]", "a@[IPv6:2001:db8::1]", "a@[ipv6:::]",
      "a@[IPv6:::ffff:192.0.2.1]", "a@localhost",
    ])
  func accepted(text: String) throws {
    let address = try #require(EmailAddress(text))
    #expect(address.spelling == text)
    #expect(address.localPart + "@" + address.domain == text)
  }

  @Test(
    "[ID-2] addresses that are errors, or that only a message's header could hold, are refused",
    arguments: [
      "", "@", "a", "a@", "@b.org", "a b@c.org", "a@b@c.org", ".a@b.org", "a.@b.org", "a..b@c.org", "a@b..org",
      "a@.org",
      "a@org.", "a@-b.org", "a@b-.org", "a@b_c.org", "(comment)a@b.org", " a@b.org", "a@b.org ", "a@b.org\n",
      "a@b.org\0",
      "a\r\nRCPT TO:<x@y.z>@b.org", "\"a\nb\"@c.org", #""a"b@c.org"#, #""a\"@c.org"#, "a@[192.0.2.256]", "a@[192.0.2]",
      "a@[IPv6:1::2::3]", "a@[IPv6:1:2:3:4:5:6:7]", "a@[x]", "a@[]", "ü@example.com", "a@münchen.example",
      "\u{0}@b.org",
    ])
  func refused(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test("[ID-2] the local part may have 64 bytes and the whole 254")
  func limits() {
    let label = String(repeating: "b", count: 63)
    #expect(EmailAddress(String(repeating: "a", count: 64) + "@b.org") != nil)
    #expect(EmailAddress(String(repeating: "a", count: 65) + "@b.org") == nil)
    #expect(EmailAddress("a@\(label).org") != nil)
    #expect(EmailAddress("a@b\(label).org") == nil)
    let long = "aa@\(label).\(label).\(label)."
    #expect(EmailAddress(long + String(repeating: "c", count: 254 - long.utf8.count)) != nil)
    #expect(EmailAddress(long + String(repeating: "c", count: 255 - long.utf8.count)) == nil)
  }

  @Test("[ID-2] case and needless quotes make no other mailbox, and the spelling is kept")
  func sameness() throws {
    let address = try #require(EmailAddress("Jo.Doe@Example.COM"))
    #expect(address == EmailAddress("jo.doe@example.com"))
    #expect(address == EmailAddress(#""Jo.Doe"@example.com"#))
    #expect(address == EmailAddress(#""jo\.doe"@example.com"#))
    #expect(address != EmailAddress("jodoe@example.com"))
    #expect(EmailAddress(#""a b"@c.org"#)?.key == #""a b"@c.org"#)
    #expect(EmailAddress(#""a\ \"b"@c.org"#)?.key == #""a \"b"@c.org"#)
    #expect(address.spelling == "Jo.Doe@Example.COM")
    #expect(EmailAddress.refusal == "The email address is invalid")
  }
}

/// The public address cases of isemail; not part of the repository.
private enum IsEmail {
  struct Case {
    let id: String
    let address: String
    let category: String

    var isValidForSMTP: Bool {
      ["ISEMAIL_VALID_CATEGORY", "ISEMAIL_DNSWARN", "ISEMAIL_RFC5321"].contains(category)
    }
  }

  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/credentials/isemail.tests.xml").standardizedFileURL

  static var isPresent: Bool { FileManager.default.fileExists(atPath: file.path) }

  static func cases() throws -> [Case] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.components(separatedBy: "<test id=\"").dropFirst().map { entry in
      Case(
        id: String(entry.prefix { $0 != "\"" }), address: unescaped(element("address", in: entry)),
        category: element("category", in: entry))
    }
  }

  private static func element(_ name: String, in entry: String) -> String {
    guard let start = entry.range(of: "<\(name)>"), let end = entry.range(of: "</\(name)>") else { return "" }
    return String(entry[start.upperBound..<end.lowerBound])
  }

  /// XML's references; and a picture of a control character stands for the character, as the file explains.
  private static func unescaped(_ text: String) -> String {
    var (result, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
    while let scalar = rest.popFirst() {
      guard scalar == "&", let end = rest.firstIndex(of: ";") else {
        result.append(scalar)
        continue
      }
      let name = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"] as [String: Unicode.Scalar]
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      if let decoded = named[name] ?? number.flatMap(Unicode.Scalar.init) { result.append(decoded) }
    }
    let shown = result.map { (0x2400..<0x2420).contains($0.value) ? Unicode.Scalar(UInt8($0.value - 0x2400)) : $0 }
    return String(String.UnicodeScalarView(shown))
  }
}
