// Who has access to a business. `issuers` are the services that have API keys; what needs the
// confirmation of an owner is asked for with `requestConfirmation`.
import type { KeyIssuer } from '../auth/issue-api-key.ts'
import { addExistingPersonOperation } from './add-existing-person.ts'
import { addPersonOperation } from './add-person.ts'
import { changeRoleOperation } from './change-role.ts'
import type { RequestConfirmation } from './confirmation.ts'
import { createApiKeyOperation } from './create-api-key.ts'
import { endSessions } from './end-sessions.ts'
import { getLastChange } from './get-last-change.ts'
import { invitePerson } from './invite-person.ts'
import { listActs } from './list-acts.ts'
import { listApiKeys } from './list-api-keys.ts'
import { listApiRequests } from './list-api-requests.ts'
import { listInvitations } from './list-invitations.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { resetPassword } from './reset-password.ts'
import { resetSecondFactorOperation } from './reset-second-factor.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKeyOperation } from './rotate-api-key.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

export function accessOperations(
  issuers: readonly KeyIssuer[],
  requestConfirmation: RequestConfirmation,
) {
  return {
    createApiKey: createApiKeyOperation(issuers),
    rotateApiKey: rotateApiKeyOperation(issuers),
    revokeApiKey,
    listApiKeys,
    listApiRequests,
    listMembers,
    addPerson: addPersonOperation(requestConfirmation),
    invitePerson,
    withdrawInvitation,
    listInvitations,
    addExistingPerson: addExistingPersonOperation(requestConfirmation),
    changeRole: changeRoleOperation(requestConfirmation),
    removeMember,
    resetPassword,
    resetSecondFactor: resetSecondFactorOperation(requestConfirmation),
    endSessions,
    getLastChange,
    listActs,
  }
}

export type AccessOperations = ReturnType<typeof accessOperations>
