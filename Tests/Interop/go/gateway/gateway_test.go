package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"testing"

	"tandem.example/tandem/tandemtest"
)

func TestAGateway(t *testing.T) {
	suite := tandemtest.Start(t, "ada", "hedy")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, ended := Server(suite.Client("identity")), make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	site := "http://" + listener.Addr().String()
	ada := suite.Users["ada"]

	login := func(password string) (int, map[string]any) {
		response, err := http.PostForm(site+"/login", url.Values{"user": {ada.Username}, "password": {password}})
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var body map[string]any
		json.NewDecoder(response.Body).Decode(&body)
		return response.StatusCode, body
	}
	if status, body := login("wrong"); status != http.StatusForbidden || body["reason"] != "CREDENTIALS_INCORRECT" {
		t.Fatal(status, body)
	}
	status, session := login(ada.Password)
	if status != http.StatusOK {
		t.Fatal(status, session)
	}
	get := func(path, token string) *http.Response {
		request, _ := http.NewRequest("GET", site+path, nil)
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	token := session["accessToken"].(string)
	for path, expected := range map[string]int{"/groups": 200, "/groups?page=torn": 400} {
		if found := get(path, token).StatusCode; found != expected {
			t.Fatal(path, found)
		}
	}
	if found := get("/groups", suite.Token("ada", "--expired")).StatusCode; found != 401 {
		t.Fatal("an expired token", found)
	}

	inbox := bufio.NewScanner(get("/inbox", token).Body)
	if !inbox.Scan() {
		t.Fatal("the stream has nothing")
	}
	// It drains: the stream ends, and so does the server.
	if err := server.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	for inbox.Scan() {
	}
	if err := <-ended; err != http.ErrServerClosed {
		t.Fatal(err)
	}
}
