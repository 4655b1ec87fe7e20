// Package gateway is the example of the handbook's page "Write a gateway in an afternoon".
package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"tandem.example/tandem"
	identityv1 "tandem.example/tandem/identity/v1"
	notificationv1 "tandem.example/tandem/notification/v1"
)

// Gateway answers HTTP by calls of identity.
type Gateway struct {
	accounts identityv1.AccountsClient
	groups   identityv1.GroupsClient
	inbox    notificationv1.NotificationsClient
}

// Server is a gateway that answers on HTTP; its client belongs to who made it.
func Server(identity *tandem.Client) *http.Server {
	gateway := &Gateway{
		identityv1.NewAccountsClient(identity), identityv1.NewGroupsClient(identity),
		notificationv1.NewNotificationsClient(identity),
	}
	pages := http.NewServeMux()
	pages.HandleFunc("/login", gateway.login)
	pages.HandleFunc("/groups", gateway.list)
	pages.HandleFunc("/inbox", gateway.stream)
	life, end := context.WithCancel(context.Background())
	server := &http.Server{Handler: pages, BaseContext: func(net.Listener) context.Context { return life }}
	server.RegisterOnShutdown(end)
	return server
}

func caller(r *http.Request) context.Context {
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	return tandem.OnBehalfOf(r.Context(), tandem.Caller{
		Token: token, Address: address, TraceParent: r.Header.Get("traceparent"),
	})
}

func (g *Gateway) login(w http.ResponseWriter, r *http.Request) {
	session, err := g.accounts.Login(caller(r), &identityv1.LoginRequest{
		EmailOrUsername: r.PostFormValue("user"), Password: r.PostFormValue("password"),
	})
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, session)
}

func (g *Gateway) list(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(caller(r), 2*time.Second)
	defer cancel()
	groups, err := g.groups.ListGroups(ctx, &identityv1.ListGroupsRequest{
		PageSize: 20, PageToken: r.FormValue("page"),
	})
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, groups)
}

func (g *Gateway) stream(w http.ResponseWriter, r *http.Request) {
	after, hasBegun := int64(0), false
	begin := func(ctx context.Context) (*tandem.Stream[notificationv1.StreamNotificationsResponse, *notificationv1.StreamNotificationsResponse], error) {
		return g.inbox.StreamNotifications(ctx, &notificationv1.StreamNotificationsRequest{After: &after})
	}
	err := tandem.Resume(tandem.WaitForReady(caller(r)), begin, func(one *notificationv1.StreamNotificationsResponse) error {
		after, hasBegun = one.Position, true
		text, err := protojson.MarshalOptions{}.Marshal(one)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", text)
		w.(http.Flusher).Flush()
		return err
	})
	if err != nil && !hasBegun {
		refuse(w, err)
	}
}

func refuse(w http.ResponseWriter, err error) {
	var failure *tandem.Error
	status := http.StatusBadGateway
	if !errors.As(err, &failure) {
		failure = &tandem.Error{Message: "the call failed"}
	}
	switch failure.Code {
	case tandem.InvalidArgument, tandem.FailedPrecondition:
		status = http.StatusBadRequest
	case tandem.Unauthenticated:
		status = http.StatusUnauthorized
	case tandem.NotFound:
		status = http.StatusNotFound
	case tandem.ResourceExhausted:
		status = http.StatusTooManyRequests
	case tandem.Unavailable:
		status = http.StatusServiceUnavailable
	case tandem.DeadlineExceeded:
		status = http.StatusGatewayTimeout
	}
	if errors.Is(err, identityv1.CredentialsIncorrect) {
		status = http.StatusForbidden
	}
	if failure.HasRetryInfo {
		w.Header().Set("Retry-After", fmt.Sprintf("%.0f", failure.RetryAfter.Seconds()+1))
	}
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"reason": failure.Reason, "message": failure.Message, "fields": failure.Fields})
}

func answer(w http.ResponseWriter, message proto.Message) {
	text, err := protojson.Marshal(message)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Write(text)
}
