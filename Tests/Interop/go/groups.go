package main

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func (j *journey) createGroup() (string, error) {
	var made group
	if err := j.groups.call("CreateGroup", &createGroupRequest{Group: &group{Name: "Gophers"}}, &made); err != nil {
		return "", err
	}
	if made.GroupID == "" || made.Name != "Gophers" || made.MemberCount != 1 {
		return "", fmt.Errorf("not the group that was made: %+v", made)
	}
	j.group = made.GroupID
	return made.Name, nil
}

// inviteFriend asks the friend into the group, and learns nothing about them but that they are asked.
func (j *journey) inviteFriend() (string, error) {
	var made groupInvitation
	request := &addGroupMemberRequest{GroupID: j.group, Email: j.friend.email}
	if err := j.groups.call("AddGroupMember", request, &made); err != nil {
		return "", err
	}
	if made.InvitationID == "" || made.State != invitationPending || made.Email != j.friend.email {
		return "", fmt.Errorf("not an open invitation of the friend: %+v", made)
	}
	var page listGroupMembersResponse
	if err := j.groups.call("ListGroupMembers", &groupRequest{GroupID: j.group}, &page); err != nil {
		return "", err
	}
	if len(page.Members) != 1 {
		return "", fmt.Errorf("who is only invited is among the members: %+v", page.Members)
	}
	return made.Email, nil
}

// friendAccepts is the friend's reading of the invitation, and its acceptance.
func (j *journey) friendAccepts() (string, error) {
	var open listInvitationsResponse
	if err := j.friend.invitations.call("ListInvitations", &empty{}, &open); err != nil {
		return "", err
	}
	if len(open.Invitations) != 1 || open.Invitations[0].InviterUsername != j.username ||
		open.Invitations[0].Group == nil || open.Invitations[0].Group.GroupID != j.group {
		return "", fmt.Errorf("not the invitation that was sent: %+v", open.Invitations)
	}
	var accepted acceptInvitationResponse
	request := &invitationRequest{InvitationID: open.Invitations[0].InvitationID}
	if err := j.friend.invitations.call("AcceptInvitation", request, &accepted); err != nil {
		return "", err
	}
	if accepted.Group == nil || accepted.Group.GroupID != j.group || accepted.Group.MemberCount != 2 {
		return "", fmt.Errorf("not the group of two: %+v", accepted.Group)
	}
	return accepted.Group.Name, nil
}

func (j *journey) listMembers() (string, error) {
	var page listGroupMembersResponse
	// As the friend: who accepted sees the group.
	if err := j.friend.groups.call("ListGroupMembers", &groupRequest{GroupID: j.group}, &page); err != nil {
		return "", err
	}
	seen := map[string]bool{}
	for _, member := range page.Members {
		seen[member.UserID] = true
	}
	if len(seen) != 2 || !seen[j.userID] || !seen[j.friend.userID] {
		return "", fmt.Errorf("not the two members: %+v", page.Members)
	}
	return fmt.Sprintf("%d members", len(seen)), nil
}

// renameGroup renames it as the friend: all members may. The newcomer sees it.
func (j *journey) renameGroup() (string, error) {
	const name = "Gophers & friends, früh am Morgen"
	request := &updateGroupRequest{
		Group: &group{GroupID: j.group, Name: name}, UpdateMask: &fieldMask{Paths: []string{"name"}},
	}
	if err := j.friend.groups.call("UpdateGroup", request, &group{}); err != nil {
		return "", err
	}
	var seen group
	if err := j.groups.call("GetGroup", &groupRequest{GroupID: j.group}, &seen); err != nil {
		return "", err
	}
	if seen.Name != name || seen.MemberCount != 2 {
		return "", fmt.Errorf("not the renamed group of two: %+v", seen)
	}
	return seen.Name, nil
}

func (j *journey) leaveGroup() (string, error) {
	return j.username, j.groups.call("LeaveGroup", &groupRequest{GroupID: j.group}, &empty{})
}

// friendLeaves is the last one's leaving, which deletes the group.
func (j *journey) friendLeaves() (string, error) {
	if err := j.friend.groups.call("LeaveGroup", &groupRequest{GroupID: j.group}, &empty{}); err != nil {
		return "", err
	}
	j.friend.group = j.group
	return j.friend.seesNoGroup()
}

func (j *journey) seesNoGroup() (string, error) {
	err := j.groups.call("ListGroupMembers", &groupRequest{GroupID: j.group}, &listGroupMembersResponse{})
	if err == nil {
		return "", errors.New("who left still sees the members")
	}
	if code := status.Code(err); code != codes.PermissionDenied {
		return "", fmt.Errorf("%s instead of PermissionDenied: %w", code, err)
	}
	return "refused, as it must be", nil
}
