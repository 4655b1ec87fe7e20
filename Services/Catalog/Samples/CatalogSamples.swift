/// Small sample files, embedded in the program, so that they are available in every installation.
package enum CatalogSamples {
  /// Gyms, as `catalog load gyms` reads them.
  package static let gyms = PackageResources.gyms_geojson
  /// Invented books, as `catalog load books --format goodbooks` reads them.
  package static let books = PackageResources.books_csv
  /// Invented ratings of these books, as `catalog load ratings` reads them.
  package static let ratings = PackageResources.ratings_csv
  /// Exercises, as `catalog load exercises --format tandem` reads them.
  package static let exercises = PackageResources.exercises_json
  /// Curated workouts, as `catalog load workouts` reads them.
  package static let workouts = PackageResources.workouts_json
}
