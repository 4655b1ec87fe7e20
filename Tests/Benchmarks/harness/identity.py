"""The identity service on a private cluster: how it starts, what it holds, and GetProfile beside pgbench.

Both run the same statement: the one that the server logs while GetProfile is called once.
"""


def measure(tools, plan, logs):
    return []
