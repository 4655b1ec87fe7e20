import CatalogStore
import Postgres
import ServiceRuntime

extension Catalog {
  /// What users lack while it is not loaded.
  static func expectData(_ runtime: Runtime) {
    let (database, readiness) = (runtime.database, runtime.readiness)
    readiness.expect(Lack("gyms", "no gym can be found, and no session posted", cure: "tandem load defaults")) {
      try await database.first(HasGyms())
    }
    readiness.expect(Lack("exercises", "workouts have nothing to be made of", cure: "tandem load defaults")) {
      try await database.first(HasExercises())
    }
    readiness.expect(Lack("curated workouts", "there is none to be copied", cure: "tandem load defaults")) {
      try await database.first(HasCuratedWorkouts())
    }
    readiness.expect(
      Lack(
        "records of books", "every real ISBN is unknown",
        cure: "tandem load defaults --from FOLDER, with goodbooks*books*.csv or ol_dump*.txt in it")
    ) {
      try await database.first(HasRecords())
    }
  }
}
