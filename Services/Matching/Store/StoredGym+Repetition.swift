import Geography
import Postgres

extension StoredGym {
  package init(_ repetition: StoredRepetition) throws(ColumnError) {
    try self.init(
      id: repetition.gymID, name: repetition.gymName, latitude: repetition.gymLatitude,
      longitude: repetition.gymLongitude, timeZone: repetition.timeZone, outline: repetition.gymOutline,
      radius: repetition.gymRadiusM)
  }
}
