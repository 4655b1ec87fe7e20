"""Accounts: register, confirm by the link in the mail, log in by password and passkey, profile and picture."""

import io
import random

from PIL import Image

import conftest

PASSWORD = "Analytical-engine-1843"


def registered(browser):
    name = f"grace_{random.randrange(10**8)}"
    browser.open("")
    browser.click("Create an account")
    browser.type("Email address", f"{name}@example.org")
    browser.type("Username", name)
    browser.type("Password", PASSWORD)
    browser.shot("register")
    browser.click("Create the account")
    browser.sees("Look into your mail")
    browser.shot("register-mail")
    return name


def test_register_and_confirm_by_the_link(browser, suite):
    name = registered(browser)
    token = conftest.gateway_tests.mailed_token(suite, f"{name}@example.org")
    browser.driver.get(f"{browser.url}/verify#token={token}")
    browser.type("Password", PASSWORD)
    browser.click("Confirm the address")
    browser.sees("Your email address is confirmed")
    browser.log_in({"name": name, "password": PASSWORD})
    browser.sees("One more step")
    browser.whole_shot("home-new")


def test_register_and_paste_the_link(browser, suite):
    name = registered(browser)
    token = conftest.gateway_tests.mailed_token(suite, f"{name}@example.org")
    # What was typed and where one was outlives a reload.
    browser.driver.refresh()
    browser.sees("Look into your mail")
    browser.type("The link, or the code in it", f"https://example.org/verify#token={token}")
    browser.click("Confirm the address")
    browser.sees("Your address is confirmed")


def test_a_wrong_password_is_said(browser, ada):
    browser.expected = ["401"]
    browser.open("login")
    browser.click("Log in", "main button")
    browser.sees("This is needed.")
    browser.type("Email address or username", ada["name"])
    browser.type("Password", "not-the-right-one-1")
    browser.click("Log in", "main button")
    browser.sees("Name or password is wrong.")
    browser.shot("login-wrong")


def test_a_name_that_is_taken_is_said_beside_its_field(browser, ada):
    browser.expected = ["400", "409"]
    browser.open("register")
    browser.type("Email address", f"x{random.randrange(10**8)}@example.org")
    browser.type("Username", ada["name"])
    browser.type("Password", "short")
    browser.click("Create the account")
    browser.until(lambda: browser.run("return document.querySelectorAll('[aria-invalid=true]').length > 0"), "a field is marked")
    # The password is the only thing that is not kept.
    browser.driver.refresh()
    browser.settled()
    assert browser.field("Username").get_property("value") == ada["name"]


def test_passkey(browser, ada):
    # It takes one kind of key alone.
    browser.expected = ["pubKeyCredParams"]
    browser.log_in(ada)
    browser.devtools("WebAuthn.enable")
    made = browser.devtools(
        "WebAuthn.addVirtualAuthenticator",
        options={"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True},
    )
    try:
        browser.open("account")
        browser.type("Name of the passkey", "This browser")
        browser.type("Your password, to confirm", ada["password"])
        browser.click("Add a passkey", "button")
        browser.sees("The passkey is added.")
        browser.sees("This browser")
        browser.whole_shot("account")
        browser.click(f"Your menu, {ada['name']}", "summary")
        browser.click("Log out", ".menu button")
        browser.sees("Train together")
        browser.open("login")
        browser.click("Log in with a passkey")
        browser.find(f"Your menu, {ada['name']}", "summary")
    finally:
        browser.devtools("WebAuthn.removeVirtualAuthenticator", authenticatorId=made["authenticatorId"])
        browser.devtools("WebAuthn.disable")


def test_profile_and_picture(browser, new_user, tmp_path):
    person = new_user("mary")
    browser.log_in(person)
    browser.open("profile")
    browser.sees("Make your profile")
    browser.set("Date of birth", "1992-12-10")
    browser.set("Gender", "GENDER_FEMALE")
    browser.run("document.querySelector('[data-field=interests] input').click(); document.querySelector('[data-field=strengths] input').click()")
    browser.click("Save")
    browser.sees("Your profile is saved.")
    file = tmp_path / "me.png"
    Image.new("RGB", (300, 300), (30, 110, 90)).save(file)
    browser.run("document.querySelector('input[type=file]').id = 'picture'")
    browser.driver.find_element("id", "picture").send_keys(str(file))
    browser.sees("Your picture is set.")
    browser.until(lambda: browser.run("const image = document.querySelector('.avatar.big img'); return image?.complete && image.naturalWidth > 0"), "the picture is shown")
    browser.whole_shot("profile")
    assert browser.barriers() == []


def test_a_file_that_is_no_picture_is_refused(browser, ada, tmp_path):
    browser.expected = ["400"]
    browser.log_in(ada)
    browser.open("profile")
    file = tmp_path / "me.png"
    file.write_bytes(io.BytesIO(b"no picture").getvalue())
    browser.driver.find_element("css selector", "input[type=file]").send_keys(str(file))
    browser.sees("This file is no picture that can be used")
