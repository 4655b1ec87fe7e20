import CatalogDomain
import CatalogStore
import TandemCatalog

extension Exercise {
  init(_ stored: StoredExercise) {
    let sources = stored.sources.indices.map { place in
      ExerciseSource(
        source: stored.sources[place], sourceID: stored.sourceIDs[place], license: stored.licenses[place],
        attribution: stored.attributions[place])
    }
    let images = zip(stored.images, stored.imageSources).map { reference, name in
      let source = sources.first { $0.source == name }
      return ExerciseImage(
        reference: reference, source: name, license: source?.license ?? "", attribution: source?.attribution ?? "")
    }
    self.init(
      exerciseID: stored.id.description, name: stored.name, aliases: stored.aliases, category: stored.category,
      level: stored.level, muscles: stored.muscles, secondaryMuscles: stored.secondaryMuscles,
      muscleGroups: stored.muscleGroups, equipment: stored.equipment, instructions: stored.instructions,
      instructionsSource: stored.instructionsSource, images: images, sources: sources)
  }
}

extension ExerciseOption {
  init(_ word: some ListedWord) { self.init(id: word.rawValue, label: word.label) }
}
