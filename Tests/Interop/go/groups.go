package main

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"tandem.example/tandem"
	identityv1 "tandem.example/tandem/identity/v1"
)

func (j *journey) createGroup() (string, error) {
	made, err := j.groups.CreateGroup(j.context, &identityv1.CreateGroupRequest{Group: &identityv1.Group{Name: "Gophers"}})
	if err != nil {
		return "", err
	}
	if made.GroupId == "" || made.Name != "Gophers" || made.MemberCount != 1 {
		return "", fmt.Errorf("not the group that was made: %v", made)
	}
	j.group = made.GroupId
	return made.Name, nil
}

// members are those of the group, as one of them sees it, by pages of one.
func (j *journey) members(group string) (map[string]bool, error) {
	seen := map[string]bool{}
	request := &identityv1.ListGroupMembersRequest{GroupId: group, PageSize: 1}
	for {
		page, err := j.groups.ListGroupMembers(j.context, request)
		if err != nil {
			return nil, err
		}
		for _, member := range page.Members {
			seen[member.UserId] = true
		}
		if request.PageToken = page.NextPageToken; request.PageToken == "" {
			return seen, nil
		}
	}
}

// inviteFriend asks the friend into the group, and learns nothing about them but that they are asked.
func (j *journey) inviteFriend() (string, error) {
	made, err := j.groups.AddGroupMember(j.context, &identityv1.AddGroupMemberRequest{GroupId: j.group, Email: j.friend.email})
	if err != nil {
		return "", err
	}
	if made.InvitationId == "" || made.State != identityv1.InvitationState_INVITATION_STATE_PENDING || made.Email != j.friend.email {
		return "", fmt.Errorf("not an open invitation of the friend: %v", made)
	}
	seen, err := j.members(j.group)
	if err != nil {
		return "", err
	}
	if len(seen) != 1 {
		return "", fmt.Errorf("who is only invited is among the members: %v", seen)
	}
	return made.Email, nil
}

// friendAccepts is the friend's reading of the invitation, and its acceptance.
func (j *journey) friendAccepts() (string, error) {
	open, err := j.friend.invitations.ListInvitations(j.friend.context, &identityv1.ListInvitationsRequest{})
	if err != nil {
		return "", err
	}
	if len(open.Invitations) != 1 || open.Invitations[0].InviterUsername != j.username ||
		open.Invitations[0].GetGroup().GetGroupId() != j.group {
		return "", fmt.Errorf("not the invitation that was sent: %v", open.Invitations)
	}
	request := &identityv1.AcceptInvitationRequest{InvitationId: open.Invitations[0].InvitationId}
	accepted, err := j.friend.invitations.AcceptInvitation(j.friend.context, request)
	if err != nil {
		return "", err
	}
	if accepted.GetGroup().GetGroupId() != j.group || accepted.Group.MemberCount != 2 {
		return "", fmt.Errorf("not the group of two: %v", accepted.Group)
	}
	return accepted.Group.Name, nil
}

func (j *journey) listMembers() (string, error) {
	// As the friend: who accepted sees the group.
	seen, err := j.friend.members(j.group)
	if err != nil {
		return "", err
	}
	if len(seen) != 2 || !seen[j.userID] || !seen[j.friend.userID] {
		return "", fmt.Errorf("not the two members: %v", seen)
	}
	return fmt.Sprintf("%d members", len(seen)), nil
}

// renameGroup renames it as the friend: all members may. The newcomer sees it.
func (j *journey) renameGroup() (string, error) {
	const name = "Gophers & friends, früh am Morgen"
	_, err := j.friend.groups.UpdateGroup(j.friend.context, &identityv1.UpdateGroupRequest{
		Group:      &identityv1.Group{GroupId: j.group, Name: name},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name"}},
	})
	if err != nil {
		return "", err
	}
	seen, err := j.groups.GetGroup(j.context, &identityv1.GetGroupRequest{GroupId: j.group})
	if err != nil {
		return "", err
	}
	if seen.Name != name || seen.MemberCount != 2 {
		return "", fmt.Errorf("not the renamed group of two: %v", seen)
	}
	return seen.Name, nil
}

func (j *journey) leaveGroup() (string, error) {
	_, err := j.groups.LeaveGroup(j.context, &identityv1.LeaveGroupRequest{GroupId: j.group})
	return j.username, err
}

// friendLeaves is the last one's leaving, which deletes the group.
func (j *journey) friendLeaves() (string, error) {
	if _, err := j.friend.groups.LeaveGroup(j.friend.context, &identityv1.LeaveGroupRequest{GroupId: j.group}); err != nil {
		return "", err
	}
	j.friend.group = j.group
	return j.friend.seesNoGroup()
}

func (j *journey) seesNoGroup() (string, error) {
	_, err := j.members(j.group)
	if err == nil {
		return "", errors.New("who left still sees the members")
	}
	if !errors.Is(err, identityv1.NotAMember) || tandem.CodeOf(err) != tandem.PermissionDenied {
		return "", fmt.Errorf("not the refusal of who is no member: %w", err)
	}
	return "refused, as it must be", nil
}
