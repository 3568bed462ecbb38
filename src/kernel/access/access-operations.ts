// Who has access to a business. `issuers` are the services that have API keys.
import type { KeyIssuer } from '../auth/issue-api-key.ts'
import { addExistingPerson } from './add-existing-person.ts'
import { addPerson } from './add-person.ts'
import { createApiKeyOperation } from './create-api-key.ts'
import { listApiKeys } from './list-api-keys.ts'
import { listMembers } from './list-members.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKeyOperation } from './rotate-api-key.ts'

export function accessOperations(issuers: readonly KeyIssuer[]) {
  return {
    createApiKey: createApiKeyOperation(issuers),
    rotateApiKey: rotateApiKeyOperation(issuers),
    revokeApiKey,
    listApiKeys,
    listMembers,
    addPerson,
    addExistingPerson,
  }
}
