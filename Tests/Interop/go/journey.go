package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/containerd/ttrpc"
)

// journey is what one newcomer does and comes to know.
type journey struct {
	accounts, profiles, groups caller
	invitations                caller
	folder                     string
	email, username            string
	password                   string
	userID, token              string
	registration, verification string
	friend                     *journey
	group                      string
}

// runJourney registers somebody, follows the link in their mail, logs in, makes a profile and reads it; then somebody else does
// so, accepts the invitation to a group, renames it, is left alone in it and leaves it too, which is its end.
func runJourney(arguments []string) error {
	flags := flag.NewFlagSet("journey", flag.ExitOnError)
	address := flags.String("address", "127.0.0.1:7401", "where identity listens, HOST:PORT")
	authority := flags.String("ca", "", "file with the authority of its certificate; plaintext without")
	folder := flags.String("mail-folder", "", "where identity puts its mail as .eml files")
	username := flags.String("username", "go_"+strconv.FormatInt(time.Now().UnixNano(), 36), "who registers")
	password := flags.String("password", "seven-Lanterns-over-Quiet-water", "their password")
	out := flags.String("out", "", "file to write username and access token to, as JSON")
	parse(flags, arguments)
	if *folder == "" {
		return errors.New("--mail-folder is missing")
	}

	client, err := dial(*address, *authority)
	if err != nil {
		return err
	}
	defer client.Close()
	somebody := func(username string) *journey {
		return &journey{
			accounts:    caller{client: client, service: "tandem.identity.v1.Accounts"},
			profiles:    caller{client: client, service: "tandem.identity.v1.Profiles"},
			groups:      caller{client: client, service: "tandem.identity.v1.Groups"},
			invitations: caller{client: client, service: "tandem.identity.v1.Invitations"},
			folder:      *folder, email: username + "@example.org", username: username, password: *password,
		}
	}
	newcomer, friend := somebody(*username), somebody(*username+"_f")
	newcomer.friend = friend
	for _, part := range []part{
		{"register", newcomer.register}, {"mail", newcomer.readMail}, {"verify", newcomer.verify},
		{"login", newcomer.login}, {"create profile", newcomer.createProfile}, {"get profile", newcomer.getProfile},
		{"friend registers", friend.register}, {"friend's mail", friend.readMail}, {"friend verifies", friend.verify},
		{"friend logs in", friend.login},
		{"create group", newcomer.createGroup}, {"invite friend", newcomer.inviteFriend},
		{"friend accepts", newcomer.friendAccepts}, {"list members", newcomer.listMembers},
		{"rename group", newcomer.renameGroup}, {"leave group", newcomer.leaveGroup},
		{"gone from it", newcomer.seesNoGroup}, {"the last one leaves", newcomer.friendLeaves},
	} {
		if err := step(part.name, part.do); err != nil {
			return err
		}
	}
	return newcomer.write(*out)
}

// part is one step of a journey, and what it says of itself.
type part struct {
	name string
	do   func() (string, error)
}

func (j *journey) register() (string, error) {
	var response registerResponse
	request := &registerRequest{Email: j.email, Username: j.username, Password: j.password}
	if err := j.accounts.call("Register", request, &response); err != nil {
		return "", err
	}
	if response.UserID == "" || response.VerificationExpireTime == nil {
		return "", fmt.Errorf("the answer lacks a user or a time: %+v", response)
	}
	j.userID, j.registration = response.UserID, response.RegistrationSecret
	expiry := time.Unix(response.VerificationExpireTime.Seconds, 0).UTC()
	return fmt.Sprintf("%s is %s, to be verified by %s", j.username, j.userID, expiry.Format(time.RFC3339)), nil
}

func (j *journey) readMail() (string, error) {
	token, err := tokenFor(j.email, j.folder, 10*time.Second)
	j.verification = token
	return fmt.Sprintf("a link with a token of %d characters", len(token)), err
}

func (j *journey) verify() (string, error) {
	var response verifyEmailResponse
	request := &verifyEmailRequest{Token: j.verification, RegistrationSecret: j.registration}
	if err := j.accounts.call("VerifyEmail", request, &response); err != nil {
		return "", err
	}
	if response.UserID != j.userID {
		return "", fmt.Errorf("verified %q instead of %q", response.UserID, j.userID)
	}
	return j.email, nil
}

func (j *journey) login() (string, error) {
	var response loginResponse
	request := &loginRequest{EmailOrUsername: j.username, Password: j.password, DeviceLabel: "a Go client"}
	if err := j.accounts.call("Login", request, &response); err != nil {
		return "", err
	}
	if response.UserID != j.userID || response.AccessToken == "" {
		return "", fmt.Errorf("the answer has user %q and a token of %d characters", response.UserID, len(response.AccessToken))
	}
	j.token = response.AccessToken
	j.profiles.metadata = ttrpc.MD{"authorization": {"Bearer " + j.token}}
	j.groups.metadata, j.invitations.metadata = j.profiles.metadata, j.profiles.metadata
	return "session " + response.SessionID, nil
}

func (j *journey) createProfile() (string, error) {
	wanted := &profile{
		Gender: genderOther, DateOfBirth: &date{Year: 1990, Month: 2, Day: 28}, Level: levelNovice, TimeZone: "Asia/Singapore",
	}
	var made profile
	if err := j.profiles.call("CreateProfile", &createProfileRequest{Profile: wanted}, &made); err != nil {
		return "", err
	}
	return j.check(made)
}

func (j *journey) getProfile() (string, error) {
	var found profile
	if err := j.profiles.call("GetProfile", &getProfileRequest{Username: j.username}, &found); err != nil {
		return "", err
	}
	return j.check(found)
}

// check compares a profile with the one that was made.
func (j *journey) check(seen profile) (string, error) {
	born := seen.DateOfBirth
	if seen.UserID != j.userID || seen.Username != j.username || seen.Gender != genderOther || seen.Level != levelNovice ||
		seen.TimeZone != "Asia/Singapore" || born == nil || *born != (date{Year: 1990, Month: 2, Day: 28}) {
		return "", fmt.Errorf("not the profile that was made: %+v", seen)
	}
	return fmt.Sprintf("%s, born %d-%02d-%02d, in %s", seen.Username, born.Year, born.Month, born.Day, seen.TimeZone), nil
}

func (j *journey) write(file string) error {
	if file == "" {
		return nil
	}
	text, err := json.Marshal(map[string]string{"username": j.username, "access_token": j.token})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
