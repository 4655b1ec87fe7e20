/// Small sample files, embedded in the program, so that they are available in every installation.
package enum LendingSamples {
  /// Places, as `lending load places` reads them.
  package static let places = PackageResources.places_txt

  /// The ids of the places, far beyond those of GeoNames.
  package static let placeIDs = String(decoding: places, as: UTF8.self).split(separator: "\n").compactMap {
    Int64($0.prefix { $0 != "\t" })
  }
}
