// Operations on who has access to a business: its API keys and its people.
import { operationsOf } from '../operations/operation.ts'
import type { ServiceContext } from '../operations/service-context.ts'

export const defineOperation = operationsOf<ServiceContext>()
