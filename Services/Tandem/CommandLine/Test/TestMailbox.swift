import Reflection

/// Mail that a suite wrote to its folder.
struct TestMailbox: Sendable {
  let folder: String

  /// How long a mail is waited for: a service sends it at once.
  private static let patience = Duration.seconds(10)
  /// The folder does not report new mail, so it is polled.
  private static let look = Duration.milliseconds(5)

  /// All mail to an address, the oldest first.
  func mail(to address: String) -> [TestMail] {
    Files.names(in: folder).filter { $0.hasSuffix(".eml") && !$0.hasPrefix(".") }.compactMap { name in
      let path = "\(folder)/\(name)"
      return Files.text(path).flatMap { TestMail($0, file: path) }
    }
    .filter { $0.to.lowercased() == address.lowercased() }
  }

  /// The mail to an address, and about a subject where one is named, as soon as there is any.
  func awaited(to address: String, about subject: String? = nil) async throws -> [TestMail] {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      let found = mail(to: address).filter { $0.isAbout(subject) }
      if !found.isEmpty { return found }
      try await Task.sleep(for: Self.look)
    }
    throw Complaint("no mail to \(address) came within \(seconds(Self.patience))")
  }
}

/// A mail, as the suite writes it: text in UTF-8, plain or quoted-printable.
struct TestMail: Sendable {
  let file: String
  let to: String
  let subject: String
  let date: String
  /// Its plain form.
  let text: String

  /// - Parameter message: RFC 5322, with lines that end by CR LF.
  init?(_ message: String, file: String) {
    let lines = message.split(separator: "\r\n", omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }
    func field(_ name: String) -> String? {
      head.first { $0.lowercased().hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 2)) }
    }
    guard let to = field("to") else { return nil }
    self.file = file
    self.to = to.filter { $0 != "<" && $0 != ">" }
    subject = field("subject") ?? ""
    date = field("date") ?? ""
    text = Self.plainText(of: lines.dropFirst(head.count), type: field("content-type") ?? "", head)
  }

  /// Every address of a page in it, in the order of the text.
  var links: [String] {
    text.split { $0.isWhitespace || "<>\"".contains($0) }.map(String.init).filter { word in
      ["https://", "http://"].contains(where: word.hasPrefix)
    }
  }

  /// The token of its first link that has one; `nil` without.
  var token: String? {
    links.lazy.compactMap { link in
      link.firstRange(of: "token=").map { found in
        String(link[found.upperBound...].prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) })
      }
    }.first
  }

  func isAbout(_ words: String?) -> Bool {
    words.map { subject.lowercased().contains($0.lowercased()) } ?? true
  }

  var json: JSONValue {
    .members([
      "to": .string(to), "subject": .string(subject), "date": .string(date), "text": .string(text),
      "links": .array(links.map(JSONValue.string)), "token": token.map(JSONValue.string) ?? .null,
      "file": .string(file),
    ])
  }

  private static func plainText(of body: ArraySlice<Substring>, type: String, _ head: ArraySlice<Substring>) -> String {
    guard type.contains("multipart") else { return decoded(body.dropFirst(), head) }
    // The plain form is the first part.
    let part = body.drop { !$0.hasPrefix("--") }.dropFirst()
    let partHead = part.prefix { !$0.isEmpty }
    return decoded(part.dropFirst(partHead.count + 1).prefix { !$0.hasPrefix("--=_") }, partHead)
  }

  private static func decoded(_ lines: ArraySlice<Substring>, _ head: ArraySlice<Substring>) -> String {
    let isQuoted = head.contains { $0.lowercased().hasSuffix("quoted-printable") }
    let text = lines.joined(separator: "\n")
    guard isQuoted else { return text }
    var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], Substring(text).utf8)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        bytes.append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "\n") {
        rest.removeFirst()
      } else if let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
