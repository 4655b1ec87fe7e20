/// The providers that there are adapters for; a further one is added here and nowhere else.
package enum Providers {
  package static let all: [any ProviderAdapter] = [GoogleHealth(), Strava(), Withings(), Polar()]
}
