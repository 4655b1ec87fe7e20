import Geography
import LendingDomain
import Testing

@Suite("where an address is")
struct GazetteerTests {
  private func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(latitude: latitude, longitude: longitude))
  }

  @Test("[LE-8] a city reaches as far as its people need, within limits")
  func reach() throws {
    let centre = try point(51.50853, -0.12574)
    #expect(Gazetteer.reach(of: GazetteerCity(point: centre, population: 0)) == Metres(3_000))
    #expect(Gazetteer.reach(of: GazetteerCity(point: centre, population: 100_000_000)) == Metres(40_000))
    let london = GazetteerCity(point: centre, population: 8_961_989)
    #expect(Gazetteer.contains(london, try point(51.54057, -0.14334)))
    #expect(!Gazetteer.contains(london, try point(52.2048, 0.1177)), "Cambridge is another city")
  }

  @Test("[LE-8] the latitudes of a city hold all that belongs to it, and the antimeridian divides none")
  func edges() throws {
    let suva = GazetteerCity(point: try point(-18.1, 179.99), population: 1_000_000)
    let beyond = try point(-18.1, -179.99)
    #expect(Gazetteer.contains(suva, beyond))
    #expect(Gazetteer.latitudes(of: suva).contains(-18.1 + 0.1))
    #expect(!Gazetteer.latitudes(of: suva).contains(-17.5))
  }

  @Test("[LE-8] an address names whatever runs of its words do, numbers apart")
  func names() {
    #expect(
      Gazetteer.names(in: "12 Orchard Road") == ["12 orchard", "12 orchard road", "orchard", "orchard road", "road"])
    #expect(Gazetteer.names(in: "Straße der Pariser Kommune 8").contains("strasse der pariser kommune"))
    #expect(Gazetteer.names(in: "King’s Parade").contains("kings parade"))
    #expect(Gazetteer.names(in: "St Thomas Rd").contains("st thomas road"))
    #expect(Gazetteer.names(in: String(repeating: "st ", count: 200)).count < 600, "an address costs little")
    #expect(Gazetteer.names(in: "12 – 14").isEmpty)
    #expect(Gazetteer.key("  São  Paulo ") == "sao paulo")
  }
}
