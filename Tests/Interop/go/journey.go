package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/type/date"

	"tandem.example/tandem"
	identityv1 "tandem.example/tandem/identity/v1"
)

// journey is what one newcomer does and comes to know.
type journey struct {
	accounts                   identityv1.AccountsClient
	profiles                   identityv1.ProfilesClient
	groups                     identityv1.GroupsClient
	invitations                identityv1.InvitationsClient
	context                    context.Context // with the token, once there is one
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

	settings := tandem.Settings{}
	if *authority != "" {
		settings.TLS = &tandem.TLS{Authority: *authority}
	}
	client := tandem.NewClient(settings, *address)
	defer client.Close()
	somebody := func(username string) *journey {
		return &journey{
			accounts: identityv1.NewAccountsClient(client), profiles: identityv1.NewProfilesClient(client),
			groups: identityv1.NewGroupsClient(client), invitations: identityv1.NewInvitationsClient(client),
			context: context.Background(),
			folder:  *folder, email: username + "@example.org", username: username, password: *password,
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
	response, err := j.accounts.Register(j.context, &identityv1.RegisterRequest{
		Email: j.email, Username: j.username, Password: j.password,
	})
	if err != nil {
		return "", err
	}
	if response.UserId == "" || response.VerificationExpireTime == nil {
		return "", fmt.Errorf("the answer lacks a user or a time: %v", response)
	}
	j.userID, j.registration = response.UserId, response.RegistrationSecret
	expiry := response.VerificationExpireTime.AsTime()
	return fmt.Sprintf("%s is %s, to be verified by %s", j.username, j.userID, expiry.Format(time.RFC3339)), nil
}

func (j *journey) readMail() (string, error) {
	token, err := tokenFor(j.email, j.folder, 10*time.Second)
	j.verification = token
	return fmt.Sprintf("a link with a token of %d characters", len(token)), err
}

func (j *journey) verify() (string, error) {
	response, err := j.accounts.VerifyEmail(j.context, &identityv1.VerifyEmailRequest{
		Token: j.verification, RegistrationSecret: j.registration,
	})
	if err != nil {
		return "", err
	}
	if response.UserId != j.userID {
		return "", fmt.Errorf("verified %q instead of %q", response.UserId, j.userID)
	}
	return j.email, nil
}

func (j *journey) login() (string, error) {
	request := &identityv1.LoginRequest{EmailOrUsername: j.username, Password: "not " + j.password, DeviceLabel: "a Go client"}
	if _, err := j.accounts.Login(j.context, request); !errors.Is(err, identityv1.CredentialsIncorrect) {
		return "", fmt.Errorf("a wrong password gave %w", err)
	}
	request.Password = j.password
	response, err := j.accounts.Login(j.context, request)
	if err != nil {
		return "", err
	}
	if response.UserId != j.userID || response.AccessToken == "" {
		return "", fmt.Errorf("the answer has user %q and a token of %d characters", response.UserId, len(response.AccessToken))
	}
	j.token = response.AccessToken
	j.context = tandem.OnBehalfOf(j.context, tandem.Caller{Token: j.token})
	return "session " + response.SessionId, nil
}

func (j *journey) createProfile() (string, error) {
	made, err := j.profiles.CreateProfile(j.context, &identityv1.CreateProfileRequest{Profile: &identityv1.Profile{
		Gender: identityv1.Gender_GENDER_OTHER, Level: identityv1.Level_LEVEL_NOVICE, TimeZone: "Asia/Singapore",
		DateOfBirth: &date.Date{Year: 1990, Month: 2, Day: 28},
	}})
	if err != nil {
		return "", err
	}
	return j.check(made)
}

func (j *journey) getProfile() (string, error) {
	found, err := j.profiles.GetProfile(j.context, &identityv1.GetProfileRequest{Username: j.username})
	if err != nil {
		return "", err
	}
	return j.check(found)
}

// check compares a profile with the one that was made.
func (j *journey) check(seen *identityv1.Profile) (string, error) {
	born := seen.DateOfBirth
	if seen.UserId != j.userID || seen.Username != j.username || seen.Gender != identityv1.Gender_GENDER_OTHER ||
		seen.Level != identityv1.Level_LEVEL_NOVICE || seen.TimeZone != "Asia/Singapore" ||
		born.GetYear() != 1990 || born.GetMonth() != 2 || born.GetDay() != 28 {
		return "", fmt.Errorf("not the profile that was made: %v", seen)
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
