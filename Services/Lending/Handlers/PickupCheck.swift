import FieldViolations
import Geography
import LendingDomain
import LendingStore
import Postgres
import TandemLending
import VisibleText

extension Loans {
  /// The most cities of one name that are considered, the largest first.
  private static let maxCities: Int64 = 8

  /// Parses the pickup location; for an invalid one it returns `nil` and adds a violation ([LE-8]).
  func pickup(_ wire: TandemLending.Pickup?, _ bad: inout Violations) async throws -> Pickup? {
    switch wire?.place {
    case nil:
      bad.add("pickup", "Where the borrower gets the book is missing", LendingReason.pickupRequired)
      return nil
    case .point(let point):
      let found = GeoPoint(latitude: point.latitude, longitude: point.longitude)
      return bad.require("pickup.point", found, "There is no such point on Earth", LendingReason.pointInvalid).map {
        .point($0)
      }
    case .address(let typed): return try await address(typed, &bad).map { .address($0) }
    }
  }

  /// The address, if its city is known and a place named in the address lies there. Each field is judged although others are bad, as far as
  /// it can be ([C-2]).
  private func address(_ typed: Address, _ bad: inout Violations) async throws -> PickupAddress? {
    let country = bad.require(
      "pickup.address.country", PickupAddress.country(typed.country), "There is no such country; write SG for example",
      LendingReason.countryUnknown)
    let city = bad.require(
      "pickup.address.city", PickupAddress.line(typed.city, of: CityLimit.self), LendingReason.cityUnknown)
    let cities = try await cities(named: city, in: country)
    if cities?.isEmpty == true {
      bad.add("pickup.address.city", "No city of that name is known there", LendingReason.cityUnknown)
    }
    let isMissing = VisibleText<AddressLimit>.isBlank(typed.address)
    let address = bad.require(
      "pickup.address.address", PickupAddress.line(typed.address, of: AddressLimit.self),
      isMissing ? LendingReason.addressRequired : LendingReason.addressInvalid)
    guard let country, let city, let address, let cities, !cities.isEmpty else { return nil }
    let places = try await database.rows(
      PlacesNamed(Gazetteer.names(in: address), in: country, near: cities)
    ).compactMap(\.point)
    guard cities.contains(where: { city in places.contains { Gazetteer.contains(city, $0) } }) else {
      bad.add("pickup.address.address", "The address is not in that city", LendingReason.addressNotInCity)
      return nil
    }
    return PickupAddress(country: country, city: city, address: address)
  }

  /// The cities of a name; `nil` without a name or a country.
  private func cities(named name: String?, in country: String?) async throws -> [GazetteerCity]? {
    guard let name, let country else { return nil }
    let named = CitiesNamed(country: country, key: Gazetteer.key(name), limit: Self.maxCities)
    return try await database.rows(named).compactMap(\.city)
  }
}
