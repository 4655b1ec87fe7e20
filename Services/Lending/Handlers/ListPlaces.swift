import FieldViolations
import Geography
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// The countries in which cities are known ([LE-8]).
  package func listCountries(_ call: ListCountriesRequest, _ context: CallContext) async throws -> ListCountriesResponse
  {
    ListCountriesResponse(countries: try await database.rows(CountriesWithCities()))
  }

  /// The provinces of a country in which cities are known ([LE-8]).
  package func listProvinces(_ call: ListProvincesRequest, _ context: CallContext) async throws -> ListProvincesResponse
  {
    var bad = Violations()
    let typed = bad.country(call.country)
    let country = try bad.all(typed)
    let found = try await database.rows(ProvincesOfCountry(country: country))
    return ListProvincesResponse(provinces: found.map { Province(code: $0.code, name: $0.name) })
  }

  /// A page of the cities of a country, or of one of its provinces, the largest first ([LE-8], [C-5]).
  package func listCities(_ call: ListCitiesRequest, _ context: CallContext) async throws -> ListCitiesResponse {
    var bad = Violations()
    let typed = bad.country(call.country)
    if call.province.utf8.count > Self.maxProvinceLength || call.province.contains("\0") {
      bad.add("province", "This is not the code of a province", LendingReason.provinceInvalid)
    }
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Int64.self)
    let country = try bad.all(typed)
    let found = try await database.rows(
      CitiesOfCountry(
        country: country, province: call.province.isEmpty ? nil : call.province, afterID: page.after?.1,
        afterPopulation: page.after?.0, limit: page.limit))
    let (rows, next) = try page.cut(found) { ($0.population, $0.id) }
    return ListCitiesResponse(
      cities: rows.map {
        City(name: $0.name, point: Point(latitude: $0.latitude, longitude: $0.longitude), province: $0.province)
      }, nextPageToken: next)
  }

  /// The longest code of a province.
  private static let maxProvinceLength = 20
}

extension Violations {
  fileprivate mutating func country(_ typed: String) -> String? {
    require(
      "country", PickupAddress.country(typed), "There is no such country; write SG for example",
      LendingReason.countryUnknown)
  }
}
