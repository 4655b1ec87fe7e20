@testable import GatewayPages
import GatewayProtocols
import TTRPC
import Testing

@Suite struct PageTextTests {
  @Test(
    "[GATE-6] text is no markup, in elements and in attributes",
    arguments: [
      ("plain ä 本", "plain ä 本"), ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload='x' &amp;", "&quot; onload=&#39;x&#39; &amp;amp;"), ("\0", "\u{FFFD}"), ("", ""),
      // Beside a letter that combines with them, the signs are signs still.
      ("<\u{338}img>\u{338}", "&lt;\u{338}img&gt;\u{338}"),
    ])
  func escaping(text: String, expected: String) {
    #expect(HTMLText.escaped(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test("[GATE-6] comments become paragraphs and lists, escaped")
  func prose() {
    #expect(
      HTMLText.prose("One <b>\ntwo.\n\n- `A_B`: x\n  y\n- z\n\nEnd ` alone.")
        == "<p>One &lt;b&gt; two.</p>\n<ul>\n<li><code>A_B</code>: x y</li>\n<li>z</li>\n</ul>\n<p>End ` alone.</p>\n")
  }

  @Test("[GATE-6] an entity tag is compared weakly, in any list")
  func entityTags() {
    let tag = EntityTag.tag(of: Array("x".utf8))
    #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\"") && tag.count == 36)
    #expect(EntityTag.tag(of: Array("y".utf8)) != tag)
    for field in [tag, String(tag.dropFirst(2)), "\"a\", \(tag)", "*", " \(tag) ,\"b\""] {
      #expect(EntityTag.matches(field, tag), "\(field)")
    }
    for field in [nil, "", "\"a\"", "x"] { #expect(!EntityTag.matches(field, tag), "\(field ?? "")") }
  }

  @Test("[GATE-6] forms are read to the letter")
  func forms() throws {
    let form = try QueryParameters(form: "token=a%2Bb&password=p+q%C3%A4&empty=")
    #expect(form.text("token") == "a+b")
    #expect(form.text("password") == "p qä")
    #expect(form.text("empty") == "")
    #expect(form.text("missing") == nil)
    #expect(try QueryParameters(form: "a=%FF").text("a") == nil)
    #expect(throws: Status.self) { try QueryParameters(form: "a=1&a=2") }
    #expect(throws: Status.self) { try QueryParameters(form: "a=%4") }
  }

  @Test("[GATE-6] the page of a mailed link has one form, which posts, and gives nothing away")
  func mailedLinks() {
    let links = MailedLink.all + [.unsubscription]
    #expect(Set(links.map(\.path)).count == links.count)
    for link in links {
      let page = String(decoding: link.html(token: "\"><b>", after: nil), as: UTF8.self)
      #expect(page.contains("<form method=\"post\" action=\"\(link.path)\">"))
      #expect(page.contains("value=\"&quot;&gt;&lt;b&gt;\"") && !page.contains("<b>"))
      #expect(!page.contains("name=\"username\""))
      #expect(!page.contains("http://") && !page.contains("https://"))
    }
    let taken = Status(.alreadyExists, reason: "USERNAME_TAKEN", "The username is already taken")
    let again = String(decoding: MailedLink.verification.html(token: "t", after: taken), as: UTF8.self)
    #expect(again.contains("<p role=\"alert\">The username is already taken</p>"))
    #expect(again.contains("name=\"username\"") && again.contains("value=\"t\""))
  }

  @Test("[GATE-6] failures inside are not shown to people")
  func sentences() {
    #expect(PageAnswer.sentence(of: Status(.notFound, "There is no such link")) == "There is no such link")
    for code in [Code.internal, .unavailable, .unknown] {
      #expect(!PageAnswer.sentence(of: Status(code, "row 7 of books")).contains("row"))
    }
  }

  @Test(
    "[GATE-6] paths of links have one spelling",
    arguments: [
      ("/share/book/aB-_9", LinkPath.shared(.book, token: "aB-_9")),
      ("/share/book/aB-_9/picture", .picture(.book, token: "aB-_9")), ("/calendar/x.ics", .calendar(token: "x")),
      ("/share/book/", nil), ("/share/book/a/", nil), ("/share/books/a", nil), ("/share/book/a%20", nil),
      ("/share/book/ä", nil), ("/calendar/.ics", nil), ("/calendar/x", nil), ("//share/book/a", nil), ("/", nil),
      ("", nil),
    ] as [(String, LinkPath?)])
  func linkPaths(path: String, expected: LinkPath?) { #expect(LinkPath(path[...]) == expected) }

  @Test("[GATE-6] the page of a share link shows previews what they ask for, escaped")
  func sharedLinks() {
    var thing = SharedThing(title: "\"><b>", text: "of & by")
    thing.facts = [.init(label: "Year", value: ""), .init(label: "ISBN", value: "<i>")]
    var page = String(decoding: SharedLink.html(of: thing, origin: "https://x", path: "/share/book/t"), as: UTF8.self)
    #expect(page.contains("<meta property=\"og:title\" content=\"&quot;&gt;&lt;b&gt;\">"))
    #expect(page.contains("<meta property=\"og:url\" content=\"https://x/share/book/t\">"))
    #expect(page.contains("<dd>&lt;i&gt;</dd>") && !page.contains("Year") && !page.contains("og:image"))
    (thing.picture, thing.pictureType, thing.isLive) = ([1], "image/png", true)
    page = String(decoding: SharedLink.html(of: thing, origin: "https://x", path: "/share/book/t"), as: UTF8.self)
    #expect(page.contains("content=\"https://x/share/book/t/picture\"") && page.contains("http-equiv=\"refresh\""))
  }

  @Test("[GATE-6] the page of a journey has a map where there is a console, and says the same without it")
  func maps() {
    var thing = SharedThing(title: "Ada", text: "")
    thing.facts = [SharedThing.Point(kind: .position, latitude: 1.5, longitude: -103).fact]
    thing.isLive = true
    let (origin, path) = ("https://x", "/share/journey/t")
    let plain = String(decoding: SharedLink.html(of: thing, origin: origin, path: path), as: UTF8.self)
    #expect(!plain.contains("<script") && plain.contains("1.5, -103.0") && !plain.contains("<noscript>"))
    let tiles = Console.Tiles(address: "https://tile.example.org/{z}/{x}/{y}.png", attribution: "\"><b>")
    let map = Console(tiles: tiles, folder: nil).map
    let page = String(decoding: SharedLink.html(of: thing, origin: origin, path: path, map: map), as: UTF8.self)
    #expect(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"30\"></noscript>"))
    #expect(page.contains(#"<dd data-point="position" data-latitude="1.5" data-longitude="-103.0">1.5, -103.0</dd>"#))
    #expect(!page.contains("%") && !page.contains("<b>") && !page.contains("<script>"))
    #expect(map.fields.contains { $0.1.contains("default-src 'none'; script-src 'self'; style-src 'self'") })
    #expect(map.fields.contains { $0.1.contains("img-src 'self' data: https://tile.example.org;") })
  }

  @Test("[GATE-6] a calendar's tag is that of its content, not of the time at which it was written")
  func calendarTags() {
    let text = "BEGIN:VEVENT\r\nDTSTAMP:20261124T040000Z\r\nSUMMARY:Gym\r\nEND:VEVENT\r\n"
    let tag = CalendarFeed.tag(of: text)
    #expect(tag == CalendarFeed.tag(of: text.replacing("T040000Z", with: "T050000Z")))
    #expect(tag != CalendarFeed.tag(of: text.replacing("Gym", with: "Gymnasium")))
  }

  @Test(
    "[GATE-6] one part of a file is sent, of several the whole",
    arguments: [
      (nil, ByteRange.whole), ("bytes=0-0", .part(0..<1)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
      ("bytes=-30", .part(0..<10)), ("bytes=9-99", .part(9..<10)), ("BYTES=1-2", .part(1..<3)),
      ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=3-2", .whole), ("bytes=0-1,3-4", .whole),
      ("bytes=", .whole), ("bytes=-", .whole), ("bytes=a-", .whole), ("bytes=+1-2", .whole), ("lines=1-2", .whole),
      ("bytes=99999999999999999999-", .whole),
    ])
  func byteRanges(field: String?, range: ByteRange) {
    #expect(ByteRange(field, of: 10) == range)
  }
}
