"""The contract as OpenAPI, and the page made from it."""

import gzip
import pathlib
import re

PROTOS = pathlib.Path(__file__).resolve().parents[2] / "Proto"


def test_openapi_has_every_method_for_people(suite):
    answer = suite.curl("/openapi.json")
    assert answer.status == 200
    assert answer.fields["content-type"] == "application/json"
    document = answer.json
    assert document["openapi"] == "3.1.0"
    paths = document["paths"]
    assert len(paths) > 165
    assert "/tandem.identity.v1.Operators/FindUsers" not in paths and "/tandem.events.v1.EventLog/Follow" not in paths
    register = paths["/tandem.identity.v1.Accounts/Register"]["post"]
    assert register["security"] == [] and register["summary"] and register["description"]
    assert paths["/tandem.identity.v1.Accounts/Logout"]["post"]["security"] == [{"bearer": []}]
    assert {"code": "invalid_argument", "reason": "EMAIL_INVALID"} in register["x-refusals"]


def test_openapi_lists_the_reasons_of_every_method(suite):
    """[GATE-1] To the letter of the proto files."""
    paths = suite.curl("/openapi.json").json["paths"]
    listed = {(path, one["code"], one["reason"]) for path, item in paths.items() for one in next(iter(item.values())).get("x-refusals", [])}
    told = set()
    for file in PROTOS.rglob("*.proto"):
        package = re.search(r"^package ([\w.]+);", file.read_text(), re.M)
        service, comment = None, []
        for line in file.read_text().splitlines():
            service = (re.match(r"service (\w+)", line) or [None, service])[1]
            if (method := re.match(r"  rpc (\w+)\(", line)) and (path := f"/{package[1]}.{service}/{method[1]}") in paths:
                told |= {(path, code.lower(), reason) for code, reason in re.findall(r"- ([A-Z_]+) `([A-Z_0-9]+)`", "\n".join(comment))}
            comment = comment + [line.strip()] if line.strip().startswith("//") else []
    assert len(told) > 300 and told <= listed, sorted(told - listed)[:10]


def test_every_reference_of_openapi_leads_somewhere(suite):
    answer = suite.curl("/openapi.json")
    schemas = answer.json["components"]["schemas"]
    found = set(re.findall(r'"#/components/schemas/([^"]+)"', answer.body.decode()))
    assert found and found <= set(schemas), found - set(schemas)


def test_documents_are_packed_and_named_by_an_entity_tag(suite):
    for path in ("/openapi.json", "/docs"):
        plain = suite.curl(path)
        packed = suite.curl(path, "-H", "accept-encoding: gzip")
        assert packed.fields["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        again = suite.curl(path, "-H", f"if-none-match: {plain.fields['etag']}")
        assert (again.status, again.body) == (304, b"")
        assert suite.curl(path, "-H", 'if-none-match: "other"').status == 200


def test_the_page_of_the_methods_has_no_script(suite):
    answer = suite.curl("/docs")
    assert answer.status == 200 and answer.fields["content-type"].startswith("text/html")
    page = answer.body.decode()
    assert "<script" not in page and 'id="tandem.identity.v1.Accounts.Register"' in page
    assert "default-src 'none'" in answer.fields["content-security-policy"]
    anchors = set(re.findall(r'id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= anchors, links - anchors


def test_documents_take_no_other_method_and_a_head(suite):
    answer = suite.curl("/docs", "-X", "POST", "-d", "x")
    assert (answer.status, answer.fields["allow"]) == (405, "GET")
    for option in ("--http1.1", "--http2"):
        head = suite.curl("/docs", "-I", option, "-o", "/dev/null")
        assert head.status == 200
