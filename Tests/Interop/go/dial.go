package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/containerd/ttrpc"
)

const timeout = 5 * time.Second

// dial connects over TLS, trusting only the authority in the file, or in plaintext when no file is named.
func dial(address, authority string) (*ttrpc.Client, error) {
	if authority == "" {
		conn, err := net.DialTimeout("tcp", address, timeout)
		if err != nil {
			return nil, err
		}
		return ttrpc.NewClient(conn), nil
	}
	pem, err := os.ReadFile(authority)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate", authority)
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	conn, err := tls.DialWithDialer(&net.Dialer{Timeout: timeout}, "tcp", address, config)
	if err != nil {
		return nil, err
	}
	return ttrpc.NewClient(conn), nil
}
