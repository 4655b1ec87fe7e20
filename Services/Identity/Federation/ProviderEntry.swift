import OAuth2

/// One provider in the file.
struct ProviderEntry: Decodable, Sendable {
  /// The protocol of a provider.
  enum Kind: String, Decodable, Sendable {
    case openid
    case facebook
  }

  let id: String
  let name: String
  let kind: Kind
  let issuer: String?
  let clientID: String
  let clientSecretFile: String?
  let clientAuthentication: ClientRegistration.Authentication?
  let scopes: [String]?
  let emails: FederatedProvider.EmailTrust?
  let baseURL: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, kind, issuer, scopes, emails
    case clientID = "client_id"
    case clientSecretFile = "client_secret_file"
    case clientAuthentication = "client_authentication"
    case baseURL = "base_url"
  }

  /// A coding key of any name.
  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "there is no member \(key.stringValue)"))
    }
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    name = try members.decode(String.self, forKey: .name)
    kind = try members.decode(Kind.self, forKey: .kind)
    issuer = try members.decodeIfPresent(String.self, forKey: .issuer)
    clientID = try members.decode(String.self, forKey: .clientID)
    clientSecretFile = try members.decodeIfPresent(String.self, forKey: .clientSecretFile)
    clientAuthentication = try members.decodeIfPresent(
      ClientRegistration.Authentication.self, forKey: .clientAuthentication)
    scopes = try members.decodeIfPresent([String].self, forKey: .scopes)
    emails = try members.decodeIfPresent(FederatedProvider.EmailTrust.self, forKey: .emails)
    baseURL = try members.decodeIfPresent(String.self, forKey: .baseURL)
  }

  /// Must be unique, because users are identified by issuer and subject.
  var issuerOrPreset: String { issuer ?? kind.rawValue }

  /// How the client authenticates: Facebook accepts the secret in the form only.
  var authentication: ClientRegistration.Authentication { kind == .facebook ? .post : clientAuthentication ?? .basic }

  /// One message for each invalid value or combination of values.
  var complaints: [String] {
    var lines: [String] = []
    func expect(_ condition: Bool, _ line: String) { if !condition { lines.append(line) } }
    expect(
      (1...64).contains(id.utf8.count) && id.utf8.allSatisfy(Self.isIDCharacter), "id is not 1 to 64 of a-z, 0-9 and -")
    expect((1...100).contains(name.unicodeScalars.count), "name has not 1 to 100 characters")
    expect((1...1_000).contains(clientID.utf8.count), "client_id has not 1 to 1,000 characters")
    expect(authentication == .none || clientSecretFile != nil, "client_secret_file is missing")
    expect(baseURL.map(Self.isSecure) ?? true, "base_url is not an https:// URL")
    switch kind {
    case .openid:
      expect(issuer.map(Self.isSecure) ?? false, "issuer is not an https:// URL")
      expect(scopes?.contains("openid") ?? true, "scopes has no openid")
      expect(baseURL == nil, "base_url is for facebook alone")
    case .facebook:
      expect(
        issuer == nil && scopes == nil && emails == nil && clientAuthentication == nil,
        "issuer, scopes, emails and client_authentication are for openid alone")
    }
    return lines
  }

  private static func isIDCharacter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
  }

  private static func isSecure(_ url: String) -> Bool {
    url.hasPrefix("https://") && (9...1_000).contains(url.utf8.count) && !url.contains { "?# ".contains($0) }
  }
}
