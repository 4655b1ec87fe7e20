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
    case .address(let typed):
      guard let address = address(typed, &bad) else { return nil }
      return try await known(address, &bad).map { .address($0) }
    }
  }

  private func address(_ typed: Address, _ bad: inout Violations) -> PickupAddress? {
    let country = bad.require(
      "pickup.address.country", PickupAddress.isCountry(typed.country) ? typed.country : nil,
      "A country is two capitals, SG for example", LendingReason.countryUnknown)
    let city = bad.require(
      "pickup.address.city", PickupAddress.line(typed.city, of: CityLimit.self), LendingReason.cityUnknown)
    let isMissing = VisibleText<AddressLimit>.isBlank(typed.address)
    let address = bad.require(
      "pickup.address.address", PickupAddress.line(typed.address, of: AddressLimit.self),
      isMissing ? LendingReason.addressRequired : LendingReason.addressInvalid)
    guard let country, let city, let address else { return nil }
    return PickupAddress(country: country, city: city, address: address)
  }

  /// The address, if its city is known and a place named in the address lies there.
  private func known(_ address: PickupAddress, _ bad: inout Violations) async throws -> PickupAddress? {
    let named = CitiesNamed(country: address.country, key: Gazetteer.key(address.city), limit: Self.maxCities)
    let cities = try await database.rows(named).compactMap(\.city)
    guard !cities.isEmpty else {
      bad.add("pickup.address.city", "No city of that name is known there", LendingReason.cityUnknown)
      return nil
    }
    let places = try await database.rows(
      PlacesNamed(Gazetteer.names(in: address.address), in: address.country, near: cities)
    ).compactMap(\.point)
    guard cities.contains(where: { city in places.contains { Gazetteer.contains(city, $0) } }) else {
      bad.add("pickup.address.address", "The address is not in that city", LendingReason.addressNotInCity)
      return nil
    }
    return address
  }
}
