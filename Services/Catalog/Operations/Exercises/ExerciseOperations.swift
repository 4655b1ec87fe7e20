import Postgres

/// What the catalog does with the exercises of the loaded collections; see ``BookOperations``.
package struct ExerciseOperations: Sendable {
  let database: Database

  package init(database: Database) { self.database = database }
}
