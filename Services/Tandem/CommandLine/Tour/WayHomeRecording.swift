/// A walk home, for the tour where no real recording is at hand: made by hand, a position each ten seconds, with a pause at a crossing.
enum WayHomeRecording {
  static let gpx = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Tandem" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Way home</name><trkseg>
    <trkpt lat="51.503300" lon="-0.127600"><time>2025-11-14T21:40:00Z</time></trkpt>
    <trkpt lat="51.503271" lon="-0.127400"><time>2025-11-14T21:40:10Z</time></trkpt>
    <trkpt lat="51.503243" lon="-0.127200"><time>2025-11-14T21:40:20Z</time></trkpt>
    <trkpt lat="51.503214" lon="-0.127000"><time>2025-11-14T21:40:30Z</time></trkpt>
    <trkpt lat="51.503186" lon="-0.126800"><time>2025-11-14T21:40:40Z</time></trkpt>
    <trkpt lat="51.503157" lon="-0.126600"><time>2025-11-14T21:40:50Z</time></trkpt>
    <trkpt lat="51.503129" lon="-0.126400"><time>2025-11-14T21:41:00Z</time></trkpt>
    <trkpt lat="51.503100" lon="-0.126200"><time>2025-11-14T21:41:10Z</time></trkpt>
    <trkpt lat="51.502973" lon="-0.126180"><time>2025-11-14T21:41:20Z</time></trkpt>
    <trkpt lat="51.502847" lon="-0.126160"><time>2025-11-14T21:41:30Z</time></trkpt>
    <trkpt lat="51.502720" lon="-0.126140"><time>2025-11-14T21:41:40Z</time></trkpt>
    <trkpt lat="51.502593" lon="-0.126120"><time>2025-11-14T21:41:50Z</time></trkpt>
    <trkpt lat="51.502467" lon="-0.126100"><time>2025-11-14T21:42:00Z</time></trkpt>
    <trkpt lat="51.502340" lon="-0.126080"><time>2025-11-14T21:42:55Z</time></trkpt>
    <trkpt lat="51.502213" lon="-0.126060"><time>2025-11-14T21:43:05Z</time></trkpt>
    <trkpt lat="51.502087" lon="-0.126040"><time>2025-11-14T21:43:15Z</time></trkpt>
    <trkpt lat="51.501960" lon="-0.126020"><time>2025-11-14T21:43:25Z</time></trkpt>
    <trkpt lat="51.501833" lon="-0.126000"><time>2025-11-14T21:43:35Z</time></trkpt>
    <trkpt lat="51.501707" lon="-0.125980"><time>2025-11-14T21:43:45Z</time></trkpt>
    <trkpt lat="51.501580" lon="-0.125960"><time>2025-11-14T21:43:55Z</time></trkpt>
    <trkpt lat="51.501453" lon="-0.125940"><time>2025-11-14T21:44:05Z</time></trkpt>
    <trkpt lat="51.501327" lon="-0.125920"><time>2025-11-14T21:44:15Z</time></trkpt>
    <trkpt lat="51.501200" lon="-0.125900"><time>2025-11-14T21:44:25Z</time></trkpt>
    <trkpt lat="51.501137" lon="-0.125738"><time>2025-11-14T21:44:35Z</time></trkpt>
    <trkpt lat="51.501075" lon="-0.125575"><time>2025-11-14T21:44:45Z</time></trkpt>
    <trkpt lat="51.501013" lon="-0.125413"><time>2025-11-14T21:44:55Z</time></trkpt>
    <trkpt lat="51.500950" lon="-0.125250"><time>2025-11-14T21:45:05Z</time></trkpt>
    <trkpt lat="51.500887" lon="-0.125088"><time>2025-11-14T21:45:15Z</time></trkpt>
    <trkpt lat="51.500825" lon="-0.124925"><time>2025-11-14T21:45:25Z</time></trkpt>
    <trkpt lat="51.500763" lon="-0.124762"><time>2025-11-14T21:45:35Z</time></trkpt>
    <trkpt lat="51.500700" lon="-0.124600"><time>2025-11-14T21:45:45Z</time></trkpt>
    </trkseg></trk></gpx>
    """
}
