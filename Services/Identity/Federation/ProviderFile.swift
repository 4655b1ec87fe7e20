import Environment
import FoundationEssentials
import OAuth2
import OutboundHTTP

/// The JSON file of the providers that users can log in by: `{"providers": [{"id": "google", …}]}`.
package struct ProviderFile: Sendable {
  /// The errors in a file: one line for each, which says how to fix it.
  package struct Refusal: Error, Sendable {
    package let lines: [String]
  }

  private struct Contents: Decodable {
    let providers: [ProviderEntry]
  }

  /// The maximum number of providers; enough for every button that fits on a page.
  private static let maxCount = 20
  private static let largestFile = 1_048_576

  private let entries: [(ProviderEntry, ClientSecret?)]

  /// Reads the file and the secret files that it names, whose paths are relative to it.
  package init(path: String) throws(Refusal) {
    let contents: Contents
    do {
      contents = try JSONDecoder().decode(Contents.self, from: try Self.read(path))
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(lines: ["\(path) is not a JSON object of providers: \(Self.reason(error))"])
    }
    var (entries, lines): ([(ProviderEntry, ClientSecret?)], [String]) = ([], [])
    if contents.providers.count > Self.maxCount { lines.append("\(path) has more than \(Self.maxCount) providers") }
    let folder = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
    for (index, entry) in contents.providers.enumerated() {
      let place = "\(path), providers[\(index)]"
      lines += entry.complaints.map { "\(place): \($0)" }
      do { entries.append((entry, try Self.secret(of: entry, in: folder))) } catch {
        lines += error.lines.map { "\(place): \($0)" }
      }
    }
    lines += Self.repeated(contents.providers.map(\.id)).map { "\(path) has two providers with the id \($0)" }
    lines += Self.repeated(contents.providers.map(\.issuerOrPreset)).map {
      "\(path) has two providers with the issuer \($0)"
    }
    guard lines.isEmpty else { throw Refusal(lines: lines) }
    self.entries = entries
  }

  package func providers(through outbound: OutboundClient, clock: any WallClock) -> [FederatedProvider] {
    entries.map { entry, secret in
      let client = ClientRegistration(
        id: entry.clientID, secret: secret, authentication: entry.authentication)
      let kind: FederatedProvider.Kind =
        switch entry.kind {
        case .openid:
          .openID(
            OpenIDProvider(issuer: entry.issuerOrPreset, client: client, through: outbound, clock: clock),
            scope: entry.scopes ?? ["openid", "email"], emails: entry.emails ?? .trusted)
        case .facebook: .facebook(Facebook(standIn: entry.baseURL))
        }
      return FederatedProvider(id: entry.id, name: entry.name, client: client, kind, through: outbound)
    }
  }

  private static func secret(of entry: ProviderEntry, in folder: String) throws(Refusal) -> ClientSecret? {
    guard let file = entry.clientSecretFile else { return nil }
    let path = file.hasPrefix("/") ? file : folder + file
    let text = String(decoding: try read(path), as: UTF8.self)
    guard let secret = text.split(whereSeparator: \.isNewline).first.flatMap({ ClientSecret(String($0)) }) else {
      throw Refusal(lines: ["\(path) is empty: put the client's secret into it"])
    }
    return secret
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

  private static func repeated(_ names: [String]) -> Set<String> {
    var seen: Set<String> = []
    return Set(names.filter { !seen.insert($0).inserted })
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "\(place(context)) has no \(key.stringValue)"
    case DecodingError.dataCorrupted(let context): "\(place(context)): \(context.debugDescription)"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context)) is of another kind"
    default: "it is of another shape"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? "it" : String(path.drop { $0 == "." })
  }
}
