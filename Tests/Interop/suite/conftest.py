"""The kit's own fixtures; where it is installed, pytest finds them without this file."""

pytest_plugins = ["tandem_client.testing"]
