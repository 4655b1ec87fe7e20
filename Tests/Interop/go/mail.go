package main

import (
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

var tokenInLink = regexp.MustCompile(`https?://\S*[?&#]token=([^\s&]+)`)

// tokenFor waits for a mail to the address in a folder of .eml files, and gives the token of the link in it.
func tokenFor(address, folder string, limit time.Duration) (string, error) {
	// A folder tells nobody that a mail came: so it is looked into again until the limit.
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(folder, "*.eml"))
		if err != nil {
			return "", err
		}
		for i := len(files) - 1; i >= 0; i-- { // the newest has the last name
			body, err := bodyFor(address, files[i])
			if err != nil {
				return "", fmt.Errorf("%s: %w", files[i], err)
			}
			if found := tokenInLink.FindStringSubmatch(body); found != nil {
				return found[1], nil
			}
		}
		if time.Now().After(end) {
			return "", fmt.Errorf("no mail to %s with a link in %s within %v", address, folder, limit)
		}
	}
}

// bodyFor is the decoded text of a mail, empty when it is for somebody else.
func bodyFor(address, file string) (string, error) {
	text, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer text.Close()
	message, err := mail.ReadMessage(text)
	if err != nil {
		return "", err
	}
	recipients, err := message.Header.AddressList("To")
	if err != nil || len(recipients) != 1 || !strings.EqualFold(recipients[0].Address, address) {
		return "", err
	}
	body := message.Body
	if strings.EqualFold(message.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	read, err := io.ReadAll(body)
	return string(read), err
}
