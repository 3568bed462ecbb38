// Operations on the caller's own account. They need a person: a key or the operator has none.
import { operationsOf } from '../operations/operation.ts'
import { everyRole } from '../operations/permission.ts'
import type { ServiceContext } from '../operations/service-context.ts'

export const defineOperation = operationsOf<ServiceContext>()

export const ownAccount = {
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  isOwnAccount: true,
} as const
