// Package suite shows what tests of a gateway may look like: hours pass when the test says so.
package suite

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tandem.example/tandem"
	catalogv1 "tandem.example/tandem/catalog/v1"
	identityv1 "tandem.example/tandem/identity/v1"
	lendingv1 "tandem.example/tandem/lending/v1"
	matchingv1 "tandem.example/tandem/matching/v1"
	notificationv1 "tandem.example/tandem/notification/v1"
	"tandem.example/tandem/tandemtest"
)

func check[T any](t *testing.T) func(T, error) T {
	return func(answer T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

func TestWhoChecksInInTimeIsFineAndTheOtherIsBarred(t *testing.T) {
	suite := tandemtest.Start(t, "ada", "hedy")
	sessions, gyms := matchingv1.NewSessionsClient(suite.Client("matching")), catalogv1.NewGymsClient(suite.Client("catalog"))
	near := &catalogv1.FindNearestGymsRequest{Point: &catalogv1.Point{Latitude: 51.5033, Longitude: -0.1276}, PageSize: 1}
	gym := check[*catalogv1.FindNearestGymsResponse](t)(gyms.FindNearestGyms(suite.As("ada"), near)).Gyms[0].Gym
	start := time.Now().Add(2 * time.Hour)
	posted := check[*matchingv1.Session](t)(sessions.PostSession(suite.As("ada"), &matchingv1.PostSessionRequest{
		StartTime: timestamppb.New(start), EndTime: timestamppb.New(start.Add(time.Hour)), GymId: gym.GymId,
		Focus: matchingv1.Focus_FOCUS_STRENGTH, Level: matchingv1.Level_LEVEL_ADVANCED,
	}))
	check[*matchingv1.Session](t)(sessions.JoinSession(suite.As("hedy"), &matchingv1.JoinSessionRequest{SessionId: posted.SessionId}))
	arrival := &matchingv1.CheckInRequest{SessionId: posted.SessionId, AccuracyM: 5, Point: &matchingv1.Point{
		Latitude: gym.Point.Latitude, Longitude: gym.Point.Longitude}}
	if _, err := sessions.CheckIn(suite.As("ada"), arrival); !errors.Is(err, matchingv1.OutsideCheckInWindow) {
		t.Fatalf("two hours early: %v", err)
	}
	suite.Clock("+1h50m")
	check[*matchingv1.Session](t)(sessions.CheckIn(suite.As("ada"), arrival))
	suite.Clock("+30m")
	hedy := suite.As("hedy")
	for len(check[*matchingv1.ListMyBarsResponse](t)(sessions.ListMyBars(hedy, &matchingv1.ListMyBarsRequest{})).Bars) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
}

func TestALoanGoesRound(t *testing.T) {
	suite := tandemtest.Start(t, "ada", "hedy")
	const isbn = "9780060850524"
	ada, hedy := suite.As("ada"), suite.As("hedy")
	books, loans := catalogv1.NewBooksClient(suite.Client("catalog")), lendingv1.NewLoansClient(suite.Client("lending"))
	novel := &catalogv1.Book{Title: "Brave New World", Authors: []string{"Aldous Huxley"}, Isbn: isbn, Description: "Read once."}
	book := check[*catalogv1.Book](t)(books.AddBook(ada, &catalogv1.AddBookRequest{Book: novel}))
	loan := check[*lendingv1.Loan](t)(loans.RequestBook(hedy, &lendingv1.RequestBookRequest{BookId: book.BookId}))
	check[*lendingv1.Loan](t)(loans.AcceptRequest(ada, &lendingv1.AcceptRequestRequest{LoanId: loan.LoanId}))
	for _, who := range []string{"ada", "hedy"} {
		scan := &lendingv1.ConfirmHandoverRequest{LoanId: loan.LoanId, Isbn: isbn}
		check[*lendingv1.Loan](t)(loans.ConfirmHandover(suite.As(who), scan))
	}
	for _, who := range []string{"hedy", "ada"} {
		scan := &lendingv1.ConfirmReturnRequest{LoanId: loan.LoanId, Isbn: isbn}
		loan = check[*lendingv1.Loan](t)(loans.ConfirmReturn(suite.As(who), scan))
	}
	if loan.State != lendingv1.LoanState_LOAN_STATE_RETURNED {
		t.Fatalf("the loan is %v", loan.State)
	}
}

var errEnough = errors.New("enough was seen")

func TestAStreamResumesOverKill9WithoutAGap(t *testing.T) {
	suite := tandemtest.Start(t, "ada", "hedy")
	groups := identityv1.NewGroupsClient(suite.Client("identity"))
	inbox := notificationv1.NewNotificationsClient(suite.Client("identity"))
	ctx, cancel := context.WithTimeout(tandem.WaitForReady(suite.As("hedy")), 30*time.Second)
	defer cancel()
	ada, after := tandem.WaitForReady(suite.As("ada")), int64(0)
	begin := func(ctx context.Context) (*tandem.Stream[notificationv1.StreamNotificationsResponse, *notificationv1.StreamNotificationsResponse], error) {
		return inbox.StreamNotifications(ctx, &notificationv1.StreamNotificationsRequest{After: &after})
	}
	err := tandem.Resume(ctx, begin, func(one *notificationv1.StreamNotificationsResponse) error {
		after = one.Position
		switch one.GetNotification().GetKind() {
		case notificationv1.NotificationKind_NOTIFICATION_KIND_WELCOME:
			suite.Kill("identity")
			made := check[*identityv1.Group](t)(groups.CreateGroup(ada, &identityv1.CreateGroupRequest{Group: &identityv1.Group{Name: "Early birds"}}))
			wanted := &identityv1.AddGroupMemberRequest{GroupId: made.GroupId, Email: suite.Users["hedy"].Email}
			_, err := groups.AddGroupMember(ada, wanted)
			return err
		case notificationv1.NotificationKind_NOTIFICATION_KIND_GROUP_INVITED:
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
}
