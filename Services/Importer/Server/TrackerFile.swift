import Environment
import FoundationEssentials
import ImporterOperations
import OAuth2
import ProviderAdapters

/// The JSON file of the trackers that users can connect: `{"trackers": [{"id": "strava", …}]}`.
struct TrackerFile: Sendable {
  /// The errors in a file: one line for each, which says how to fix it.
  struct Refusal: Error, Sendable {
    let lines: [String]
  }

  private struct Contents: Decodable {
    let trackers: [TrackerEntry]
  }

  private static let largestFile = 1_048_576

  let providers: [ConfiguredProvider]

  /// Reads the file and the secret files that it names, whose paths are relative to it.
  init(path: String, hosts: AllowedHosts) throws(Refusal) {
    let entries: [TrackerEntry]
    do { entries = try JSONDecoder().decode(Contents.self, from: try Self.read(path)).trackers } catch let refusal
      as Refusal
    {
      throw refusal
    } catch {
      throw Refusal(lines: ["\(path) is not a JSON object of trackers: \(error)"])
    }
    let folder = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
    var (providers, lines): ([ConfiguredProvider], [String]) = ([], [])
    for (index, entry) in entries.enumerated() {
      do {
        providers.append(try entry.provider(hosts) { (file: String) throws(Refusal) in try Self.secret(file, folder) })
      } catch { lines += error.lines.map { "\(path), trackers[\(index)]: \($0)" } }
    }
    if Set(entries.map(\.id)).count < entries.count { lines.append("\(path) has a tracker twice") }
    guard lines.isEmpty else { throw Refusal(lines: lines) }
    self.providers = providers
  }

  private static func secret(_ file: String, _ folder: String) throws(Refusal) -> String {
    let path = file.hasPrefix("/") ? file : folder + file
    let text = String(decoding: try read(path), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first else {
      throw Refusal(lines: ["\(path) is empty: put the secret into it"])
    }
    return String(line)
  }

  private static func read(_ path: String) throws(Refusal) -> Data {
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      guard data.count <= largestFile else { throw Refusal(lines: ["\(path) is larger than 1 MiB"]) }
      return data
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(lines: ["\(path) cannot be read"])
    }
  }
}

/// One tracker in the file.
struct TrackerEntry: Decodable, Sendable {
  let id: String
  let clientID: String
  let clientSecretFile: String
  let webhookSecretFile: String?
  let scopes: [String]?
  let endpoints: Endpoints?

  /// URLs in place of the provider's own.
  struct Endpoints: Decodable, Sendable {
    let authorization: String?
    let token: String?
    let revocation: String?
    let data: String?
  }

  private enum CodingKeys: String, CodingKey {
    case id, scopes, endpoints
    case clientID = "client_id"
    case clientSecretFile = "client_secret_file"
    case webhookSecretFile = "webhook_secret_file"
  }

  func provider(
    _ hosts: AllowedHosts, _ secret: (String) throws(TrackerFile.Refusal) -> String
  ) throws(TrackerFile.Refusal) -> ConfiguredProvider {
    guard let adapter = Providers.all.first(where: { $0.id == id }) else {
      let known = Providers.all.map(\.id).joined(separator: ", ")
      throw TrackerFile.Refusal(lines: ["id is none of \(known)"])
    }
    var urls = adapter.endpoints
    urls.authorization = endpoints?.authorization ?? urls.authorization
    urls.token = endpoints?.token ?? urls.token
    urls.revocation = endpoints?.revocation ?? urls.revocation
    urls.data = endpoints?.data ?? urls.data
    var lines = [
      ("authorization", urls.authorization), ("token", urls.token), ("revocation", urls.revocation),
      ("data", urls.data),
    ].compactMap { name, url in url.flatMap { hosts.complaint($0) }.map { "endpoints.\(name) \($0)" } }
    if !(1...1_000).contains(clientID.utf8.count) { lines.append("client_id has not 1 to 1,000 characters") }
    guard lines.isEmpty else { throw TrackerFile.Refusal(lines: lines) }
    let client = ClientRegistration(
      id: clientID, secret: ClientSecret(try secret(clientSecretFile)),
      authentication: adapter.authorization.authentication)
    var webhookSecret: String?
    if let webhookSecretFile { webhookSecret = try secret(webhookSecretFile) }
    return ConfiguredProvider(
      adapter, endpoints: urls, client: client, scopes: scopes, webhookSecret: webhookSecret)
  }
}

/// Which hosts providers may have.
enum AllowedHosts: String, Sendable, CaseIterable {
  /// Those of the internet.
  case `public`
  /// Also those of this machine and of private networks, for stand-ins of providers.
  case any

  /// Why a URL cannot be an endpoint; `nil` if it can.
  func complaint(_ url: String) -> String? {
    guard url.hasPrefix("https://"), (9...1_000).contains(url.utf8.count),
      !url.contains(where: { "?# @".contains($0) }),
      !url.hasSuffix("/")
    else { return "is not an https:// URL without a query and a slash at its end" }
    let host = Self.host(of: url)
    return self == .public && Self.isPrivate(host) ? "is of this machine or a private network" : nil
  }

  private static func host(of url: String) -> String {
    let rest = url.dropFirst("https://".count).prefix { $0 != "/" }
    if rest.hasPrefix("[") { return String(rest.prefix { $0 != "]" }.dropFirst()).lowercased() }
    return String(rest.prefix { $0 != ":" }).lowercased()
  }

  /// Loopback, private, link-local and unspecified addresses, also as one number; all of IPv6; names without a domain.
  private static func isPrivate(_ host: String) -> Bool {
    // No provider is named by an IPv6 number, and private ones have many spellings.
    if host.contains(":") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: true)
    guard parts.count > 1, host.last != "." else { return true }
    if ["localhost", "local", "internal", "localdomain"].contains(String(parts[parts.count - 1])) { return true }
    // Any spelling of an address by numbers that is not four decimal ones is one that no provider has.
    guard let last = parts.last, last.first?.isNumber == true else { return false }
    let bytes = parts.compactMap { UInt8($0) }
    guard bytes.count == 4, parts.count == 4, !parts.contains(where: { $0.count > 1 && $0.first == "0" }) else {
      return true
    }
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19),
      (224..., _):
      return true
    default: return false
    }
  }
}
