import IdentityDomain
import TTRPC
import TandemIdentity

extension Profiles {
  /// Lists the options of a profile's fields ([ID-20]).
  package func listProfileOptions(
    _ call: ListProfileOptionsRequest, _ context: CallContext
  ) async throws -> ListProfileOptionsResponse {
    Self.options
  }

  private static let options = ListProfileOptionsResponse(
    genders: IdentityDomain.Gender.allCases.map { GenderOption(gender: $0.wire, label: $0.rawValue.capitalized) },
    levels: IdentityDomain.Level.allCases.map {
      LevelOption(level: $0.wire, label: $0.rawValue.capitalized, guide: $0.guide, experienced: $0.isExperienced)
    },
    interests: Interest.allCases.map { TandemIdentity.ProfileOption(id: $0.rawValue, label: $0.label) },
    strengths: Strength.allCases.map { TandemIdentity.ProfileOption(id: $0.rawValue, label: $0.label) })
}

extension String {
  /// Turns `FEMALE` into `Female`.
  fileprivate var capitalized: String { prefix(1) + dropFirst().lowercased() }
}
