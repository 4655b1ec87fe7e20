package tandem

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"sync"
	"time"
)

// TLS is TLS 1.3 to servers whose certificate the authority signed, with a certificate of one's own where one is named.
// The files are looked at before each connection and every ten seconds: once they have changed, new connections use them, and
// older ones are replaced when their calls have ended.
type TLS struct {
	// Authority, Certificate and Key are PEM files; the last two may be empty.
	Authority, Certificate, Key string
	// ServerName is the name in the servers' certificate, where it is not that of the address.
	ServerName string

	mutex sync.Mutex
	now   *certificates
}

// certificates are what the files had when they were read.
type certificates struct {
	changed [3]time.Time
	config  *tls.Config
}

// read gives the same object as long as the files stay the same.
func (t *TLS) read() (*certificates, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var changed [3]time.Time
	for n, file := range []string{t.Authority, t.Certificate, t.Key} {
		if file == "" {
			continue
		}
		found, err := os.Stat(file)
		if err != nil {
			return t.orOlder(err)
		}
		changed[n] = found.ModTime()
	}
	if t.now != nil && t.now.changed == changed {
		return t.now, nil
	}
	pem, err := os.ReadFile(t.Authority)
	if err != nil {
		return t.orOlder(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return t.orOlder(errors.New(t.Authority + " has no certificate"))
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS13}
	if t.Certificate != "" {
		own, err := tls.LoadX509KeyPair(t.Certificate, t.Key)
		if err != nil {
			return t.orOlder(err)
		}
		config.Certificates = []tls.Certificate{own}
	}
	t.now = &certificates{changed, config}
	return t.now, nil
}

// orOlder: half of the files may be new, and the next look finds the other half.
func (t *TLS) orOlder(err error) (*certificates, error) {
	if t.now != nil {
		return t.now, nil
	}
	return nil, err
}

func (t *TLS) config(name string) (*tls.Config, *certificates, error) {
	files, err := t.read()
	if err != nil {
		return nil, nil, err
	}
	config := files.config.Clone()
	config.ServerName = name
	if t.ServerName != "" {
		config.ServerName = t.ServerName
	}
	return config, files, nil
}
