import { z } from 'zod'
import { lowestUuidAt } from '../basics/id.ts'
import { dayOrMoment } from '../operations/day-or-moment.ts'
import { everyRole } from '../operations/permission.ts'
import { oneOf, uuid } from '../operations/schemas.ts'
import { requestMethods, statusClasses } from './api-request.ts'
import { type ListedApiRequest, listApiRequests as listRequests } from './api-request-store.ts'
import { defineOperation } from './define-operation.ts'

const pageSize = 50
const textMax = 300

export type ApiRequestPage = {
  readonly requests: readonly (ListedApiRequest & { readonly at: Date })[]
  // For the next page; null on the last one.
  readonly nextBefore: string | null
}

export const listApiRequests = defineOperation({
  name: 'list-api-requests',
  summary: 'List the API requests of the last 30 days, newest first',
  kind: 'read',
  input: z.strictObject({
    method: oneOf(requestMethods).optional(),
    status: oneOf(statusClasses).optional(),
    keyId: uuid().optional(),
    // A part of it.
    path: z.string().max(textMax).optional(),
    requestId: z.string().max(textMax).optional(),
    from: dayOrMoment('start').optional(),
    to: dayOrMoment('end').optional(),
    before: uuid().optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, { status, from, to, before, ...wanted }): Promise<ApiRequestPage> {
    const { method, keyId, path, requestId } = wanted
    const end = to && lowestUuidAt(to)
    const filter = {
      ...{ method, keyId, path, requestId },
      statusClass: status && Number.parseInt(status, 10),
      from: from && lowestUuidAt(from),
      // The lower of both. They are written in lower case, so text and time have the same order.
      below: end && before ? [end, before.toLowerCase()].toSorted()[0] : (end ?? before),
    }
    const rows = await listRequests(database.sql, actor, filter, pageSize)
    const isFull = rows.length === pageSize
    return {
      requests: rows.map((row) => ({ ...row, at: momentOf(row.id) })),
      nextBefore: isFull ? (rows.at(-1)?.id ?? null) : null,
    }
  },
})

function momentOf(id: string): Date {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))
}
