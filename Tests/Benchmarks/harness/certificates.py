"""Certificates of services of the suite, made for one run."""

import subprocess

from harness.processes import Failed


class Certificates:
    """An authority of this run, and what services show one another."""

    def __init__(self, folder, services):
        self.folder = folder
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", 1, "-subj", "/CN=bench",
            "-addext", "basicConstraints=critical,CA:true", "-keyout", "ca.key", "-out", "ca.crt")
        for service in services:
            self._issue(service)

    def _issue(self, service):
        self._openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
                      "-subj", f"/CN={service}", "-keyout", f"{service}.key", "-out", f"{service}.csr")
        (self.folder / f"{service}.ext").write_text(
            f"subjectAltName=DNS:{service},DNS:localhost,IP:127.0.0.1,URI:spiffe://tandem/{service}\n", encoding="utf-8")
        self._openssl("x509", "-req", "-in", f"{service}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", 1,
                      "-extfile", f"{service}.ext", "-out", f"{service}.crt")

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"openssl {arguments[0]}: {done.stderr[-1_000:]}")

    def settings(self, service):
        """The settings by which `service` shows who it is and knows the others."""
        return ["--tls-cert", self.folder / f"{service}.crt", "--tls-key", self.folder / f"{service}.key",
                "--tls-client-ca", self.folder / "ca.crt"]
