/// Small files of our own making, inside the program, so that they are there wherever it is.
package enum CatalogSamples {
  /// Gyms, as `catalog load gyms` reads them.
  package static let gyms = PackageResources.gyms_geojson
  /// Books, as `catalog load books --format goodbooks` reads them.
  package static let books = PackageResources.books_csv
  /// What made-up readers thought of these books, as `catalog load ratings` reads it.
  package static let ratings = PackageResources.ratings_csv
  /// Exercises, as `catalog load exercises --format tandem` reads them.
  package static let exercises = PackageResources.exercises_json
  /// Curated workouts, as `catalog load workouts` reads them.
  package static let workouts = PackageResources.workouts_json
}
