import Glibc

/// Two ends of a pipe that programs started later do not inherit.
struct Pipe {
  let readEnd: CInt
  let writeEnd: CInt

  init() throws(Complaint) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Complaint("no pipe can be made: \(systemMessage())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}
