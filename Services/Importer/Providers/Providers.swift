/// The providers that there are adapters for; a further one is added here and nowhere else.
package enum Providers {
  package static let all: [any ProviderAdapter] = [GoogleHealth(), Strava(), Withings(), Polar()]

  /// The name that users see, also of a provider that is not configured (any more).
  package static func name(of id: String) -> String { all.first { $0.id == id }?.name ?? id }
}
