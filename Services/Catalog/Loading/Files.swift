import FileLoading

// What every load of a file does, whatever is in it.
package typealias FileChunks = FileLoading.FileChunks
package typealias LoadProgress = FileLoading.LoadProgress
package typealias RecordBuffer = FileLoading.RecordBuffer
package typealias UnusableFile = FileLoading.UnusableFile
