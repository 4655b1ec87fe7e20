import CatalogDomain

/// Parses the records of wger, which are joined with the names that they refer to. Each record has its own licence.
struct WgerReader: ExerciseReader {
  private struct Exercise: Decodable {
    let id: Int?
    let name: String?
    let aliases: [String]?
    let descriptionHTML: String?
    let category: String?
    let muscles: [String]?
    let secondaryMuscles: [String]?
    let equipment: [String]?
    let images: [String]?
    let license: String?
    let licenseAuthor: String?

    enum CodingKeys: String, CodingKey {
      case id, name, aliases, category, muscles, equipment, images, license
      case descriptionHTML = "description_html"
      case secondaryMuscles = "muscles_secondary"
      case licenseAuthor = "license_author"
    }
  }

  func read(_ record: String) throws(ExerciseFlaw) -> ExerciseRecord {
    let read = try ExerciseParts.decode(Exercise.self, record)
    let isCardio = read.category?.lowercased() == "cardio"
    let author = ExerciseParts.line(read.licenseAuthor)
    return ExerciseRecord(
      .wger, try ExerciseParts.sourceID(read.id.map(String.init)), name: try ExerciseParts.name(read.name),
      aliases: ExerciseParts.aliases(read.aliases), category: isCardio ? .cardio : nil,
      muscles: ExerciseVocabulary.muscles(read.muscles),
      secondaryMuscles: ExerciseVocabulary.muscles(read.secondaryMuscles),
      muscleGroups: ExerciseVocabulary.group(read.category), equipment: ExerciseVocabulary.equipment(read.equipment),
      instructions: ExerciseParts.instructions(PlainText.lines(ofHTML: read.descriptionHTML ?? "")),
      images: ExerciseParts.images(read.images), license: ExerciseParts.line(read.license),
      attribution: author.isEmpty ? "wger" : "\(author), wger")
  }
}
