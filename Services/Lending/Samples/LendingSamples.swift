/// Small files of our own making, inside the program, so that they are there wherever it is.
package enum LendingSamples {
  /// Places, as `lending load places` reads them.
  package static let places = PackageResources.places_txt
}
