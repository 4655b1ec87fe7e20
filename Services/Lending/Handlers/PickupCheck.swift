import FieldViolations
import Geography
import Identifiers
import LendingDomain
import LendingOperations
import TandemLending
import Timestamps
import VisibleText

extension Loans {
  /// Parses where and when the borrower picks the book up; for an invalid one it returns `nil` and adds a violation ([LE-8]).
  func pickup(_ wire: TandemLending.Pickup?, _ bad: inout Violations) async throws -> Pickup? {
    let place = try await place(wire?.place, &bad)
    guard let typed = wire?.time else { return place.map { Pickup($0) } }
    let time = bad.require(
      "pickup.time", Instant(valid: typed).flatMap { Pickup.isAllowed($0, at: environment.clock.now) ? $0 : nil },
      "A pickup is in the future, and within \(Pickup.maxWait) days", LendingReason.pickupTimeInvalid)
    guard let place, let time else { return nil }
    return Pickup(place, at: time)
  }

  private func place(_ wire: TandemLending.Pickup.Place?, _ bad: inout Violations) async throws -> PickupPlace? {
    switch wire {
    case nil:
      bad.add("pickup", "Where the borrower gets the book is missing", LendingReason.pickupRequired)
      return nil
    case .point(let typed):
      let found = GeoPoint(latitude: typed.latitude, longitude: typed.longitude)
      let point = bad.require("pickup.point", found, "There is no such point on Earth", LendingReason.pointInvalid)
      guard let point else { return nil }
      return .point(point, try await operations.nearby(point))
    case .address(let typed): return try await address(typed, &bad)
    }
  }

  /// The address, if its city is known and a place named in the address lies there. Each field is judged although others are bad, as far as
  /// it can be ([C-2]).
  private func address(_ typed: Address, _ bad: inout Violations) async throws -> PickupPlace? {
    let country = bad.require(
      "pickup.address.country", PickupAddress.country(typed.country), "There is no such country; write SG for example",
      LendingReason.countryUnknown)
    let city = bad.require(
      "pickup.address.city", PickupAddress.line(typed.city, of: CityLimit.self), LendingReason.cityUnknown)
    let cities = try await cities(named: city, in: country)
    if cities?.isEmpty == true {
      bad.add("pickup.address.city", try await unknownCity(), LendingReason.cityUnknown)
    }
    let isMissing = VisibleText<AddressLimit>.isBlank(typed.address)
    let address = bad.require(
      "pickup.address.address", PickupAddress.line(typed.address, of: AddressLimit.self),
      isMissing ? LendingReason.addressRequired : LendingReason.addressInvalid)
    guard let country, let city, let address, let cities, !cities.isEmpty else { return nil }
    guard let found = try await operations.locate(address, in: country, cities) else {
      bad.add("pickup.address.address", "The address is not in that city", LendingReason.addressNotInCity)
      return nil
    }
    return .address(PickupAddress(country: country, city: city, address: address), found)
  }

  /// What is said of a city that is not known: where no place is loaded, it is not the city that is wrong.
  private func unknownCity() async throws -> String {
    try await operations.hasPlaces()
      ? "No city of that name is known there" : "No places are loaded here, so that every address is unknown"
  }

  /// The cities of a name; `nil` without a name or a country.
  private func cities(named name: String?, in country: String?) async throws -> [GazetteerCity]? {
    guard let name, let country else { return nil }
    return try await operations.cities(named: name, in: country)
  }
}
