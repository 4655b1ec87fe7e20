/// Small sample files, embedded in the program, so that they are available in every installation.
package enum LendingSamples {
  /// Places, as `lending load places` reads them.
  package static let places = PackageResources.places_txt
}
