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

func (j *journey) addFriend() (string, error) {
	var member groupMember
	request := &addGroupMemberRequest{GroupID: j.group, Email: j.friend.email}
	if err := j.groups.call("AddGroupMember", request, &member); err != nil {
		return "", err
	}
	if member.UserID != j.friend.userID || member.Username != j.friend.username {
		return "", fmt.Errorf("somebody else was added: %+v", member)
	}
	return member.Username, nil
}

func (j *journey) listMembers() (string, error) {
	var page listGroupMembersResponse
	// As the friend: who was added sees the group.
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
