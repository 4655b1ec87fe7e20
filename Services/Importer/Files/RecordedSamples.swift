import FileContents

/// The samples of a GPX file's tracks as text, for programs that play a recording: in the order of the file, with everything that a clock or
/// a receiver got wrong.
///
/// A line for each sample: the number of its segment, its time in microseconds since 1970, latitude, longitude and height in metres,
/// separated by tabs; `-` for what is absent or no number of its kind. The last line is `end`, or `fault`, the line of the file and the
/// reason.
package enum RecordedSamples {
  package static func text(of source: some ByteSource) -> [UInt8] {
    let document = GPXDocument()
    var source = source
    var fault: ActivityFileFault?
    do throws(ActivityFileFault) {
      try XMLReader.read(&source, document)
      if !document.isGPX { fault = ActivityFileFault(.unsupported, "The file is no GPX", offset: 0) }
    } catch { fault = error }
    var text: [UInt8] = []
    for (number, segment) in document.segments.enumerated() {
      for sample in segment { text += Array(line(sample, of: number).utf8) }
    }
    if let fault { return text + Array("fault\t\(fault.line)\t\(fault.message)\n".utf8) }
    return text + Array("end\n".utf8)
  }

  private static func line(_ sample: Sample, of segment: Int) -> String {
    let cells = [
      "\(segment)", sample.time.map { "\($0.microseconds)" }, sample.position.map { "\($0.latitude)" },
      sample.position.map { "\($0.longitude)" }, sample.elevation.map { "\($0)" },
    ]
    return cells.map { $0 ?? "-" }.joined(separator: "\t") + "\n"
  }
}
