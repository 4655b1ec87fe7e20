"""Processes that live no longer than the benchmark: started here, ended here, by their own id."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time


class Failed(Exception):
    """Something that the benchmark cannot go on without; its text says what."""


def say(text):
    """Progress, on stderr, so that stdout holds the table alone."""
    print(text, file=sys.stderr, flush=True)


def run(command, **options):
    """Runs a command to its end; its stdout. A failure shows what it wrote."""
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{' '.join(late.cmd)}: not over after {late.timeout:.0f} s") from late
    if done.returncode != 0:
        tail = (done.stdout + done.stderr)[-2_000:]
        raise Failed(f"{' '.join(str(part) for part in command)}: status {done.returncode}\n{tail}")
    return done.stdout


def in_turn(*steps):
    """Takes every step, also those behind one that fails; says which failed once all are over."""
    failures = []
    for step in steps:
        try:
            step()
        except Failed as failure:
            say(str(failure))
            failures.append(str(failure))
    if failures:
        raise Failed("; ".join(failures))


def rounds(plan, measure):
    """What each round sees, as far as they get: those before one that fails count."""
    seen = []
    for number in range(1, plan.rounds + 1):
        try:
            seen.append(measure(number))
        except Failed as failure:
            if not seen:
                raise
            say(f"round {number} of {plan.rounds} failed, so there are no more: {failure}")
            break
    return seen


def interrupt_by(signals=(signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
    """Has these signals end the benchmark in order, so that whatever it started is ended too; the first of them counts."""
    def interrupted(number, _):
        for each in signals:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt(signal.Signals(number).name)
    for number in signals:
        signal.signal(number, interrupted)


class Process:
    """A server that runs until it is ended."""

    def __init__(self, command, log, env=None):
        self.command = [str(part) for part in command]
        with open(log, "ab") as errors:
            self.popen = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=errors, text=True, env=env,
                start_new_session=True)  # Ctrl-C reaches only the benchmark, which ends the rest in order
        self.log = log
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.popen.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    @property
    def pid(self):
        return self.popen.pid

    def port(self, timeout=20.0):
        """The port of its `listening on ADDRESS:PORT` line."""
        return int(self.word_after("listening on ", timeout).rsplit(":", 1)[1])

    def word_after(self, prefix, timeout=20.0):
        """What follows `prefix` on the first line to come that begins with it."""
        end = time.monotonic() + timeout
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise Failed(f"{self.command[0]} never printed a line that begins with '{prefix}'; see {self.log}")
            if line.startswith(prefix):
                return line.removeprefix(prefix).strip()

    def rss_mb(self):
        """Resident memory, in MiB."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as status:
            kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        return kilobytes / 1024

    def end(self, timeout=10.0):
        if self.popen.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)
            try:
                self.popen.wait(timeout=timeout)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()


@contextlib.contextmanager
def started(command, log, env=None):
    """A process for the length of a `with`."""
    process = Process(command, log, env)
    try:
        yield process
    finally:
        process.end()
