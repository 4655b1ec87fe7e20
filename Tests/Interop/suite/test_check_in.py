"""What tests of a gateway may look like: hours pass when the test says so."""

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from tandem.api import catalog, matching
from tandem.api.blocking.catalog import Gyms
from tandem.api.blocking.matching import Sessions
from tandem_client.testing import eventually


def later(now, seconds):
    moment = Timestamp()
    moment.FromJsonString(now)
    return Timestamp(seconds=moment.seconds + seconds)


def test_who_checks_in_in_time_is_fine_and_the_other_is_barred(tandem_suite, tandem_users):
    ada, hedy = tandem_users["ada"], tandem_users["hedy"]
    near = catalog.FindNearestGymsRequest(point={"latitude": 51.5033, "longitude": -0.1276}, page_size=1)
    gym = Gyms(ada.client("catalog")).find_nearest_gyms(near).gyms[0].gym
    now = tandem_suite.clock()
    slot = {"start_time": later(now, 7_200), "end_time": later(now, 10_800), "gym_id": gym.gym_id}
    posting = matching.PostSessionRequest(**slot, focus="FOCUS_STRENGTH", level="LEVEL_ADVANCED")
    posted = Sessions(ada.client("matching")).post_session(posting)
    Sessions(hedy.client("matching")).join_session(matching.JoinSessionRequest(session_id=posted.session_id))
    arrival = matching.CheckInRequest(
        session_id=posted.session_id, accuracy_m=5, point={"latitude": gym.point.latitude, "longitude": gym.point.longitude}
    )
    with pytest.raises(matching.OutsideCheckInWindow):
        Sessions(ada.client("matching")).check_in(arrival)
    tandem_suite.clock("+1h50m")
    Sessions(ada.client("matching")).check_in(arrival)
    tandem_suite.clock("+30m")
    hedys = Sessions(hedy.client("matching"))
    assert eventually(lambda: hedys.list_my_bars(matching.ListMyBarsRequest()).bars)
    assert not Sessions(ada.client("matching")).list_my_bars(matching.ListMyBarsRequest()).bars
