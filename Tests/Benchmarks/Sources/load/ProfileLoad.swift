import ArgumentParser
import Foundation
import TTRPC
import TandemIdentity

/// Calls `tandem.identity.v1.Profiles/GetProfile` with an access token.
struct ProfileLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "profile")

  @OptionGroup var load: LoadOptions
  @Option(help: "JSON with a username and an access_token, as the Go client's journey leaves it.") var newcomer: String

  private struct Newcomer: Decodable {
    let username: String
    let accessToken: String
  }

  func run() async throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let newcomer = try decoder.decode(Newcomer.self, from: Data(contentsOf: URL(fileURLWithPath: newcomer)))
    let username = newcomer.username
    try await load.run(metadata: ["authorization": "Bearer \(newcomer.accessToken)"]) { caller, options in
      let answer = try await ProfilesClient(caller).getProfile(GetProfileRequest(username: username), options)
      guard answer.username == username else { throw WrongAnswer(answer) }
    }
  }
}
