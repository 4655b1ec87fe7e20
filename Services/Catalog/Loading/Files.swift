import FileLoading

// Shared by all loads, whatever the format.
package typealias BadRecord = FileLoading.BadRecord
package typealias FileChunks = FileLoading.FileChunks
package typealias LoadDisplay = FileLoading.LoadDisplay
package typealias LoadOutcome = FileLoading.LoadOutcome
package typealias LoadProgress = FileLoading.LoadProgress
package typealias RecordBuffer = FileLoading.RecordBuffer
package typealias UnusableFile = FileLoading.UnusableFile
