"""Activities: files by dropping them, the track on the map, splits, plots, summaries and records."""

import math

DROP = """
const [zone, name, text] = arguments;
const data = new DataTransfer();
data.items.add(new File([text], name, { type: "application/gpx+xml" }));
for (const type of ["dragover", "drop"]) zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
"""
# How far the file was sent whenever that changed.
WATCH = """
window.progress = [];
new MutationObserver(() => {
  const bar = document.querySelector(".drop progress");
  if (bar) window.progress.push(bar.value);
}).observe(document.querySelector(".drop"), { subtree: true, attributeFilter: ["value"] });
"""


def run_of(kilometres, day, name="Morning run"):
    """A run around a lake as GPX: a point each five seconds, with heart rate and height."""
    points = []
    count = int(kilometres * 66)
    for at in range(count):
        angle = at / 60
        latitude, longitude = 1.3500 + 0.0075 * math.sin(angle), 103.8200 + 0.0095 * (1 - math.cos(angle))
        seconds = at * 5
        time = f"{day}T{6 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"
        heart = 128 + int(24 * math.sin(at / 40) ** 2) + min(15, at // 30)
        height = 20 + 9 * math.sin(at / 25)
        points.append(
            f'<trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"><ele>{height:.1f}</ele><time>{time}</time><extensions><gpxtpx:TrackPointExtension>'
            f"<gpxtpx:hr>{heart}</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" '
        'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><name>' + name + "</name><type>running</type><trkseg>"
        + "".join(points) + "</trkseg></trk></gpx>"
    )


def test_a_file_is_dropped_and_looked_at(browser, new_user):
    import datetime

    day = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=2)).date().isoformat()
    person = new_user("annie")
    browser.log_in(person)
    browser.open("activities")
    browser.sees("No activity yet.")
    browser.whole_shot("activities-empty")
    browser.run(WATCH)
    browser.run(DROP, browser.driver.find_element("css selector", ".drop"), "morning.gpx", run_of(6.4, day))
    browser.sees("1 new activity")
    progress = browser.run("return window.progress")
    assert progress == sorted(progress) and any(0 < part < 1 for part in progress) and progress[-1] == 1, progress
    browser.run(DROP, browser.driver.find_element("css selector", ".drop"), "holiday.gpx", "<gpx>no")
    browser.until(lambda: browser.run("return document.querySelector('.drop .bad, .drop .item + .item')?.innerText || document.querySelectorAll('.drop .item').length === 2 && document.querySelectorAll('.drop .item')[1].innerText.length > 15"), "why the broken file is refused is said")
    browser.whole_shot("activities")
    assert browser.barriers() == []
    browser.click("Morning run", "main a")
    browser.sees("Splits")
    browser.until(lambda: browser.run("return document.querySelector('path.line') && document.querySelectorAll('tandem-plot path.drawn').length === 2"), "the track is on the map, heart rate and height are drawn")
    assert browser.run("return document.querySelectorAll('main table tbody tr').length") >= 6
    browser.whole_shot("activity")
    assert browser.barriers() == [] and browser.too_wide() == []
    browser.open("activities?tab=summary")
    browser.sees("Climbed")
    browser.whole_shot("activities-summary")
    browser.open("activities?tab=records")
    browser.sees("fastest")
    browser.whole_shot("activities-records")
    assert browser.barriers() == []
