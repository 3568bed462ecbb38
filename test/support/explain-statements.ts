// Finds statements that would ask several servers of a cluster. Recorded statements are explained
// on the partitioned copy. Tables of one business have the same parts, so a statement about one
// business touches one part. A statement that touches more must be among those that look at several
// businesses on purpose: the list in `test/tidy/store-rules.ts`, or the one below.
import { tableMap } from '../../src/app/distribution/table-map.ts'
import type { Sql } from '../../src/kernel/db/database.ts'
import { acrossTenants } from '../tidy/store-rules.ts'
import { partOf } from './partitioned-copy.ts'
import type { RecordedStatement } from './recorded-statements.ts'

// Functions that ask all parts on purpose, besides those of the list of `store-rules.ts`.
const deliberate = new Map<string, string>([
  ['findQueueHealth', 'operators watch the jobs of all shards'],
  ['listDueShards', 'finds the shards to work for'],
  ['findMailCounts', 'operators watch the mails of all shards'],
  ['listMailsToWipe', 'mails of all shards expire'],
  ['listMailsWithoutJob', 'an invariant of all shards'],
  ['listShardsWithMails', 'finds the shards to work for'],
  ['findOldestDue', 'operators watch the queue of all businesses'],
  ['findWebhookCounts', 'operators watch the queue of all businesses'],
  ['listDueEndpoints', 'finds the endpoints to work for'],
  ['listNewlyDueEndpoints', 'finds the endpoints to work for'],
  ['listBusinesses', 'operators list all businesses'],
  ['findSessionOfMember', 'sessions are on the coordinator, memberships with the business'],
])

// One line for each function with a statement that a cluster refuses, or answers slowly.
export async function findCrossing(
  sql: Sql,
  recorded: readonly RecordedStatement[],
): Promise<string[]> {
  const found = new Map<string, string>()
  const client = await sql.pool.connect()
  try {
    for (const statement of recorded) {
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement.text)) continue
      const problem = await problemOf(statement, async (text, values) => {
        const { rows } = await client.query<Record<string, Explained[]>>(text, values)
        return Object.values(rows[0] ?? {})[0]?.[0]?.Plan
      })
      if (problem) found.set(`${statement.from}: ${problem}`, statement.text)
    }
  } finally {
    client.release()
  }
  return [...found.keys()].sort()
}

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Plans?: readonly Plan[]
}
type Explained = { readonly Plan: Plan }
type Explain = (text: string, values: unknown[]) => Promise<Plan | undefined>

async function problemOf(
  { from, text, values }: RecordedStatement,
  explain: Explain,
): Promise<string | undefined> {
  const sent = values.map((value) =>
    value !== null && typeof value === 'object' ? Buffer.from(value.hex, 'hex') : value,
  )
  let plan: Plan | undefined
  try {
    plan = await explain(`explain (verbose, costs off, format json) ${text}`, sent)
  } catch (error) {
    return `cannot be explained: ${error instanceof Error ? error.message : String(error)}`
  }
  const nodes = plan ? nodesOf(plan) : []
  const relations = nodes.flatMap((node) =>
    node['Relation Name'] ? [`${node.Schema}.${node['Relation Name']}`] : [],
  )
  const touched = new Set(relations.flatMap(placeOf))
  const name = from.split(' ')[1] ?? ''
  if (touched.size < 2) return undefined
  const places = [...touched].sort().join(', ')
  if (nodes.some((node) => node['Node Type'] === 'LockRows')) {
    return `locks rows of several parts (${places})`
  }
  if (nodes.some((node) => node['Node Type'] === 'Recursive Union')) {
    return `is recursive over several parts (${places})`
  }
  if (/\bctid\b/.test(text)) return `names rows of several parts by ctid (${places})`
  if (acrossTenants.has(name) || deliberate.has(name)) return undefined
  return `touches several parts (${places})`
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

// Parts of tables of one group are beside each other, if they have the same number. The target of
// an insert is not a part yet.
function placeOf(relation: string): string[] {
  const split = partOf(relation)
  const placement = tableMap.get(split?.table ?? relation)
  if (placement?.kind === 'local') return ['coordinator']
  return split && placement ? [`${placement.kind} ${split.part}`] : []
}
