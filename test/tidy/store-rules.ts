// Rules for SQL: where it can be, its format, and whose data it touches.
import {
  codeFiles,
  type Finding,
  finding,
  type Project,
  type Rule,
  type SourceFile,
  type WithCode,
} from './project.ts'
import { collect, dotted, type Node, programOf, templateText, walk } from './syntax.ts'

// SQL outside stores, each with its reason.
const sqlFiles = [
  { path: /^src\/kernel\/db\/migrate\.ts$/, why: 'runs the migrations' },
  { path: /^src\/app\/distribution\/plan-distribution\.ts$/, why: 'moves tables and their keys' },
  { path: /^src\/app\/distribution\/distribute\.ts$/, why: 'runs the statements of that plan' },
  { path: /^src\/kernel\/db\/embedded-/, why: 'sets the embedded server up' },
]

const storeVerbs = /^(find|list|lock|insert|update|delete)([A-Z]|$)/

// Store functions that begin with another word.
const otherStoreVerbs = ['checkSecretsCanary', 'databaseExists', 'isDatabaseReachable']

// Tables with a tenant that are not read by tenant, each with its reason.
const tablesAcrossTenants = new Map([
  ['kernel.jobs', 'a queue is claimed by shard, for all tenants'],
  ['kernel.webhook_queue', 'a queue is claimed by shard, for all tenants'],
  ['kernel.mails', 'a mail is found by shard and id, and need not have a tenant'],
])
// Tables of the business as a whole: the environment is a fact about the row, not whose it is.
const tablesOfBusiness = ['kernel.api_keys']

// Store functions that are not given one tenant, each with its reason.
export const acrossTenants = new Map([
  ['insertApiKey', 'the key brings its business along'],
  ['insertMembership', 'the membership brings its business along'],
  ['listMembershipsOfPerson', 'a person may belong to several businesses'],
  ['findDemoOwner', 'which business is the demo is the question'],
  ['listUnsealedTenants', 'finds the tenants to work for'],
  ['listChains', 'looks through all tenants'],
  ['updateFilesDeleted', 'looks through all tenants'],
  ['listTenantsWithoutChain', 'looks through all tenants'],
  ['listOutdatedSealed', 'finds what is sealed under an old key'],
  ['updateSealed', 'the sealed row brings its key along'],
  ['listUnsealedBefore', 'looks through all tenants'],
  ['listTenantsWithLongTails', 'finds the tenants to work for'],
  ['listSessionsToLookAt', 'finds the verifications to ask the verifier about'],
  ['listRefundsToLookAt', 'finds the refunds to ask the provider about'],
  ['listOverdueApprovals', 'finds the approvals to end'],
  ['listDiscrepancies', 'an operator looks at one business or at all'],
  ['listOpenDiscrepancyCounts', 'counts the discrepancies of all tenants'],
  ['listFeeSchedules', 'an operator looks at one business or at all'],
  ['listDueSubscriptions', 'finds the subscriptions to charge'],
  ['listDueSchedules', 'finds the recurring documents to make'],
  ['listUnchargedPeriods', 'finds the recurring invoices to charge'],
  ['listDueScheduleCharges', 'finds the charges to ask the provider about'],
  ['listMisstatedScheduleCharges', 'an invariant of all tenants'],
  ['listMischargedPeriods', 'an invariant of all tenants'],
  ['listUnfinishedPeriods', 'finds the recurring documents to finish'],
  ['listMismadePeriods', 'an invariant of all tenants'],
  ['listTenantsWithReminders', 'finds the tenants to work for'],
  ['listRemindersWithoutOneMail', 'an invariant of all tenants'],
  ['listTenantsWithStatements', 'finds the tenants to work for'],
  ['listStatementsWithoutOneMail', 'an invariant of all tenants'],
  ['listSimulatedRegistrations', 'looks through all tenants'],
  ['listMispaidPeriods', 'an invariant of all tenants'],
  ['listMischainedContacts', 'an invariant of all tenants'],
  ['listAllocationsAcrossContacts', 'an invariant of all tenants'],
  ['listMiscountedItems', 'an invariant of all tenants'],
  ['listMispricedOrders', 'an invariant of all tenants'],
  ['listMisstatedSubscriptions', 'an invariant of all tenants'],
  ['listMiscountedFailures', 'an invariant of all tenants'],
  ['listMisnamedEvents', 'an invariant of all tenants'],
  ['listKeptCardChecks', 'an invariant of all tenants'],
  ['listMisaddressedMails', 'an invariant of all tenants'],
  ['listPayoutsToLookAt', 'finds the payouts to ask the provider about'],
  ['listUnansweredPayouts', 'an operator looks at one business or at all'],
  ['listUnansweredRefunds', 'an operator looks at one business or at all'],
  ['listMisbookedPayouts', 'an invariant of all tenants'],
  ['listOverpromisedBalances', 'an invariant of all tenants'],
  ['listOverdrawnWallets', 'an invariant of all tenants'],
  ['listSimulatedMoneyMoving', 'an invariant of all tenants'],
  ['listKeysWithoutPayout', 'an invariant of all tenants'],
  ['listMisheldPayouts', 'an invariant of all tenants'],
  ['listMisnamedTransfers', 'an invariant of all tenants'],
  ['listMisreportedPayouts', 'an invariant of all tenants'],
  ['listMisapprovedPayouts', 'an invariant of all tenants'],
  ['listUnapprovedDailyPayouts', 'an invariant of all tenants'],
  ['listMissharedCharges', 'an invariant of all tenants'],
  ['listMisbookedRefunds', 'an invariant of all tenants'],
  ['listKeysWithoutLink', 'an invariant of all tenants'],
  ['listKeysWithoutRefund', 'an invariant of all tenants'],
  ['listMiskeyedCheckouts', 'an invariant of all tenants'],
  ['listOverusedCodes', 'an invariant of all tenants'],
  ['listMisbookedChargebacks', 'an invariant of all tenants'],
  ['listMisbookedCharges', 'an invariant of all tenants'],
  ['updateNextLookOfTransaction', 'the provider names its transaction, not whose it is'],
  ['listMisapprovedRefunds', 'an invariant of all tenants'],
  ['listUnapprovedRefunds', 'an invariant of all tenants'],
  ['listKeysWithoutContact', 'an invariant of all tenants'],
  ['listKeysWithoutDocument', 'an invariant of all tenants'],
  ['listMisreportedDocuments', 'an invariant of all tenants'],
  ['listMispricedDocuments', 'an invariant of all tenants'],
  ['listMisstatedDocuments', 'an invariant of all tenants'],
  ['listUndrawnDocuments', 'an invariant of all tenants'],
  ['listChangedFiles', 'an invariant of all tenants'],
  ['listMiscreditedDocuments', 'an invariant of all tenants'],
  ['listMistaxedDocuments', 'an invariant of all tenants'],
  ['listMisplacedPayments', 'an invariant of all tenants'],
  ['listKeysWithoutBooking', 'an invariant of all tenants'],
  ['listContactsWithoutOneEvent', 'an invariant of all tenants'],
  ['listMisbookedEntries', 'an invariant of all tenants'],
  ['listMisreversedEntries', 'an invariant of all tenants'],
  ['listMissummedMonths', 'an invariant of all tenants'],
  ['listMissummedDays', 'an invariant of all tenants'],
  ['listUnbalancedDays', 'an invariant of all tenants'],
  ['listMiscountedNumbers', 'an invariant of all tenants'],
  ['listMispostedDocuments', 'an invariant of all tenants'],
  ['listEntriesBeyond', 'an invariant of all tenants'],
  ['listHeads', 'looks through all tenants'],
  ['listEventsWithoutContact', 'an invariant of all tenants'],
  ['listMisstatedOpenItems', 'an invariant of all tenants'],
  ['listMissettledDocuments', 'an invariant of all tenants'],
  ['listMisallocatedItems', 'an invariant of all tenants'],
  ['listStrayControlLines', 'an invariant of all tenants'],
  ['listMisrelievedTaxes', 'an invariant of all tenants'],
  ['listUnbalancedEntries', 'an invariant of all tenants'],
  ['listIncompleteEntries', 'an invariant of all tenants'],
  ['listUnbalancedLedgers', 'an invariant of all tenants'],
  ['listDriftedBalances', 'an invariant of all tenants'],
  ['listWrongRefundTotals', 'an invariant of all tenants'],
  ['listMisheldCodes', 'an invariant of all tenants'],
  ['listMisreportedPayments', 'an invariant of all tenants'],
  ['listMisreportedRefunds', 'an invariant of all tenants'],
  ['listMisstatedPayments', 'an invariant of all tenants'],
  ['listEventsWithoutPayment', 'an invariant of all tenants'],
  ['listUnbookedPayments', 'an invariant of all tenants'],
  ['listUnbookedSettlements', 'an invariant of all tenants'],
  ['listMisstatedSettlements', 'an invariant of all tenants'],
  ['listStalePayments', 'finds the payments to look at'],
  ['listTenantsWithPayments', 'finds the tenants to work for'],
  ['listTenantsWithSplits', 'finds the tenants to work for'],
  ['updateOverdueSecretsWiped', 'secrets of all tenants expire'],
  ['updateOldResponsesWiped', 'responses of all tenants expire'],
  ['insertApiRequests', 'requests of several tenants, in one statement'],
  ['listTenantsWithOldApiRequests', 'finds the tenants to work for'],
  ['listUnfinishedEndpoints', 'finds the endpoints to finish'],
  ['listForgottenDeliveries', 'an invariant of all tenants'],
  ['listMisaddressedEvents', 'an invariant of all tenants'],
  ['listStrayDeliveries', 'an invariant of all tenants'],
  ['listQuotesWithoutOneAnswer', 'an invariant of all tenants'],
  ['listLeadsWithoutOneEvent', 'an invariant of all tenants'],
  ['listEventsWithoutQuoteOrLead', 'an invariant of all tenants'],
  ['listQuotesPastExpiry', 'a schedule looks at all tenants'],
  ['listAbandonedFiles', 'a schedule looks at all tenants'],
  ['listMisqueuedDeliveries', 'an invariant of all tenants'],
  ['listMiscountedAttempts', 'an invariant of all tenants'],
  ['listMistimedAttempts', 'an invariant of all tenants'],
  ['listClaimed', 'the claims bring their tenants along'],
  ['insertAttempts', 'the results bring their tenants along'],
  ['updateStopped', 'the results bring their tenants along'],
  ['updateFailuresInRow', 'the delivery brings its tenant along'],
  ['listRecipientsToRegister', 'finds the recipients to ask the provider about'],
  ['listTenantsDue', 'finds the tenants to work for'],
  ['findWaitingTotals', 'operators watch the backlog of all tenants'],
  ['listTenantsWithNewMovements', 'finds the tenants to work for'],
  ['listForgottenMovements', 'an invariant of all tenants'],
  ['listMisbookedMovements', 'an invariant of all tenants'],
  ['updateFailedChargesToEnded', 'a schedule ends the charges of all tenants'],
  ['listUnboundPayments', 'an invariant of all tenants'],
  ['listLostCharges', 'an invariant of all tenants'],
])

// Invoices and subscriptions from before they had pages get random addresses, which only the
// database can make then.
const pagesOfOldRows = /^migrations\/\d+-(invoice-pages|subscribers-pages)\.sql$/

export const storeRules: Rule[] = [
  {
    name: 'SQL stands in stores',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) => {
        if (isStore(file) || sqlFiles.some(({ path }) => path.test(file.path))) return []
        return [
          ...statements(file).map(({ node }) => finding(file, node, 'SQL outside a store')),
          ...collect(file, isUnsafe).map((node) => finding(file, node, 'sql.unsafe')),
          ...collect(
            file,
            (node) => isSqlText(String(node.value ?? '')) && node.type === 'Literal',
          ).map((node) => finding(file, node, 'SQL in a string')),
        ]
      }),
    bad: [
      { 'src/a.ts': 'const a = await sql`select 1 from b`' },
      { 'src/a.ts': 'const a = await tx<Row[]>`\n  insert into b values (1)`' },
      { 'src/a.ts': 'await connection`begin`' },
      { 'src/a.ts': `await sql.unsafe(text)` },
      { 'src/a.ts': `query('delete from kernel.api_keys')` },
    ],
    good: [
      { 'src/a-store.ts': 'const a = await sql`select 1`' },
      { 'src/kernel/db/migrate.ts': 'await connection`begin`' },
      { 'src/a.ts': `throw new Error('select a payment from the list')` },
    ],
  },
  {
    name: 'a store takes nothing unsafe',
    check: (project) =>
      codeFiles(project, 'src/')
        .filter(isStore)
        .flatMap((file) =>
          collect(file, isUnsafe).map((node) => finding(file, node, 'sql.unsafe')),
        ),
    bad: [{ 'src/a-store.ts': 'await sql.unsafe(text)' }],
    good: [{ 'src/a-store.ts': 'await sql`select 1`' }],
  },
  {
    name: 'a store function begins with a verb of stores and takes the connection first',
    check: (project) =>
      stores(project).flatMap(({ file, name, parameters, node }) => {
        const findings: Finding[] = []
        const known = storeVerbs.test(name) || otherStoreVerbs.includes(name)
        if (!known) findings.push(finding(file, node, `${name} begins with no verb of stores`))
        if (!['tx', 'sql'].includes(parameters[0] ?? '')) {
          findings.push(finding(file, node, `${name} does not take tx or sql first`))
        }
        return findings
      }),
    bad: [
      { 'src/a-store.ts': 'export async function fetchPayment(tx: Tx) {}' },
      { 'src/a-store.ts': 'export async function findPayment(id: string, tx: Tx) {}' },
      { 'src/a-store.ts': 'export async function finding(tx: Tx) {}' },
    ],
    good: [{ 'src/a-store.ts': 'export async function findPayment(tx: Tx, tenant: Tenant) {}' }],
  },
  {
    name: 'a store function of tenant data takes the tenant second',
    check: (project) => {
      const tenantTables = tablesOfTenants(project)
      return stores(project).flatMap(({ file, name, parameters, node, sql }) => {
        const touched = [...tenantTables].filter(([table]) => mentions(sql, table))
        if (touched.length === 0 || acrossTenants.has(name)) return []
        const second = parameters[1] ?? ''
        if (!['tenant', 'businessId', 'actor'].includes(second)) {
          return [
            finding(file, node, `${name} touches ${touched[0]?.[0]} and takes no tenant second`),
          ]
        }
        const separate = touched.find(([, hasEnvironment]) => hasEnvironment)
        if (second === 'businessId' && separate && !mentions(sql, 'environment')) {
          return [finding(file, node, `${name} touches ${separate[0]} of both environments`)]
        }
        return []
      })
    },
    bad: [
      {
        'migrations/0001-a.sql':
          'create table books.contacts (\n  business_id uuid,\n  id uuid\n);',
        'src/a-store.ts':
          'export async function findA(tx: Tx, id: string) { await tx`select 1 from books.contacts` }',
      },
      {
        'migrations/0001-a.sql':
          'create table books.contacts (\n  business_id uuid,\n  environment text\n);',
        'src/a-store.ts':
          'export async function findA(tx: Tx, businessId: string) { await tx`select 1 from books.contacts` }',
      },
    ],
    good: [
      {
        'migrations/0001-a.sql':
          'create table books.contacts (\n  business_id uuid,\n  environment text\n);\ncreate table a.b (id uuid);',
        'src/a-store.ts':
          'export async function findA(tx: Tx, tenant: Tenant) { await tx`select 1 from books.contacts` }\n' +
          'export async function findB(tx: Tx, id: string) { await tx`select 1 from a.b` }',
      },
    ],
  },
  {
    name: 'the tenant is in every statement on tenant data',
    check: (project) => {
      const tenantTables = tablesOfTenants(project)
      return codeFiles(project, 'src/')
        .filter(isStore)
        .flatMap((file) =>
          statements(file).flatMap(({ node, text, inside }) => {
            if (acrossTenants.has(inside)) return []
            const table = [...tenantTables.keys()].find((name) => mentions(text, name))
            if (!table || /\bbusiness_id\b/.test(text) || insertsObject(text)) return []
            return [finding(file, node, `a statement on ${table} without business_id`)]
          }),
        )
    },
    bad: [
      {
        'migrations/0001-a.sql': 'create table books.contacts (\n  business_id uuid\n);',
        'src/a-store.ts':
          'export async function findA(tx: Tx, tenant: Tenant) { await tx`select 1 from books.contacts where id = 1` }',
      },
    ],
    good: [
      {
        'migrations/0001-a.sql': 'create table books.contacts (\n  business_id uuid\n);',
        'src/a-store.ts':
          'export async function findA(tx: Tx, tenant: Tenant) { await tx`select 1 from books.contacts where business_id = 1`\n' +
          `await tx\`insert into books.contacts \${tx(row)}\` }`,
      },
    ],
  },
  {
    name: 'SQL is written in lower case, one clause a line',
    check: (project) =>
      allSql(project).flatMap(({ file, start, text }) => {
        const plain = text.replaceAll(/'[^']*'|"[^"]*"|--[^\n]*/g, '')
        const shouting = upperCaseWord.exec(plain)
        if (shouting) return [finding(file, start, `${shouting[0]} in capitals`)]
        const crowded = plain
          .split('\n')
          .find((line) => /\S.*\b(from|where|group by|order by)\b/.test(line) && isTopClause(line))
        return crowded
          ? [finding(file, start, `several clauses in one line: ${crowded.trim()}`)]
          : []
      }),
    bad: [
      { 'src/a-store.ts': 'await sql`SELECT 1`' },
      { 'src/a-store.ts': 'await sql`select a from b where c = 1`' },
      { 'migrations/0001-a.sql': 'CREATE TABLE a (id uuid);' },
    ],
    good: [
      { 'src/a-store.ts': 'await sql`\n  select a\n  from b\n  where c = 1`' },
      { 'src/a-store.ts': `await sql\`select 'SELECT'\`` },
    ],
  },
  {
    name: 'ids, times and chance are made by the application, and nothing notifies',
    check: (project) =>
      allSql(project).flatMap(({ file, start, text }) => {
        const volatileCall = volatileSql.exec(text.replaceAll(/--[^\n]*/g, ''))
        if (pagesOfOldRows.test(file.path)) return []
        return volatileCall ? [finding(file, start, `SQL calls ${volatileCall[0]}`)] : []
      }),
    bad: [
      { 'src/a-store.ts': 'await tx`\n  update a\n  set at = now()`' },
      { 'src/a-store.ts': 'await tx`insert into a values (gen_random_uuid())`' },
      { 'src/a-store.ts': 'await tx`notify jobs`' },
      { 'migrations/0001-a.sql': 'create table a (at timestamptz default current_timestamp);' },
    ],
    good: [{ 'src/a-store.ts': 'await tx`\n  select known()\n  from a`' }],
  },
  {
    name: 'migrations are numbered without gaps',
    check: ({ files }) =>
      files
        .filter(({ path }) => path.startsWith('migrations/'))
        .flatMap((file, index) => {
          const number = String(index + 1).padStart(4, '0')
          const expected = new RegExp(`^migrations/${number}-[a-z0-9]+(-[a-z0-9]+)*\\.sql$`)
          return expected.test(file.path) ? [] : [finding(file, 0, `should be number ${number}`)]
        }),
    bad: [
      { 'migrations/0002-a.sql': '' },
      { 'migrations/0001-a.sql': '', 'migrations/0003-b.sql': '' },
      { 'migrations/0001-a.sql': '', 'migrations/0001-b.sql': '' },
      { 'migrations/0001_a.sql': '' },
    ],
    good: [{ 'migrations/0001-a.sql': '', 'migrations/0002-b-c.sql': '' }],
  },
]

const upperCaseWord =
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|VALUES|CREATE|TABLE|JOIN|AND|SET)\b/
const volatileSql =
  /\b(now|clock_timestamp|statement_timestamp|gen_random_uuid|uuid_generate_v4|random|nextval)\s*\(|\b(current_timestamp|localtimestamp)\b|\bnotify\b|\bpg_notify\b|\b(big)?serial\b/

function isStore({ path }: SourceFile): boolean {
  return /-store\.ts$/.test(path)
}

type Statement = { node: Node; text: string; inside: string }

const connectionTags = /(^|\.)(sql|tx|connection|admin|reserved)$/
const sqlBeginning =
  /^\s*(select|insert into|update|delete from|with|create|alter|drop|truncate|begin|commit|rollback|lock|set|do|vacuum|notify|listen)\b/i

// Templates tagged with a connection that are whole statements; fragments are part of one.
export function statements(file: SourceFile & WithCode): Statement[] {
  const found: Statement[] = []
  walk(programOf(file), (node, parents) => {
    if (node.type !== 'TaggedTemplateExpression') return
    const text = templateText(node.quasi)
    if (!connectionTags.test(dotted(node.tag)) || !sqlBeginning.test(text)) return
    const inside = parents.find(({ type }) => type === 'FunctionDeclaration')
    found.push({ node, text, inside: String(inside?.id?.name ?? '') })
  })
  return found
}

function isSqlText(text: string): boolean {
  return /^\s*(select\s[\s\S]+\sfrom\s+\w+\.\w+|insert into \w+|update [\w.]+\s+set|delete from \w+|create table|drop table|alter table)/i.test(
    text,
  )
}

function isUnsafe(node: Node): boolean {
  return node.type === 'MemberExpression' && node.property?.name === 'unsafe'
}

// Exported functions of stores, with the SQL inside them and inside the helpers they call.
function stores(project: Project) {
  return codeFiles(project, 'src/')
    .filter(isStore)
    .flatMap((file) =>
      (programOf(file).body as Node[]).flatMap((statement) => {
        const node = statement.declaration as Node | null
        if (statement.type !== 'ExportNamedDeclaration' || node?.type !== 'FunctionDeclaration') {
          return []
        }
        const name = String(node.id?.name)
        const parameters = (node.params as Node[]).map((parameter) => String(parameter.name ?? ''))
        const sql = statements(file)
          .filter(({ inside }) => inside === name)
          .map(({ text }) => text)
          .join('\n')
        return [{ file, node, name, parameters, sql }]
      }),
    )
}

// Tables with a business_id, and whether they are separate by environment.
function tablesOfTenants({ files }: Project): Map<string, boolean> {
  const tables = new Map<string, boolean>()
  for (const { path, text } of files) {
    if (!path.startsWith('migrations/')) continue
    for (const [, name = '', body = ''] of text.matchAll(
      /create table (\S+) \(\n([\s\S]*?)\n\)/g,
    )) {
      if (/^\s*business_id uuid\b/m.test(body) && !tablesAcrossTenants.has(name))
        tables.set(name, !tablesOfBusiness.includes(name) && /^\s*environment text\b/m.test(body))
    }
  }
  return tables
}

function mentions(sql: string, name: string): boolean {
  return new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(sql)
}

// `insert into table ${tx(row)}`: the row brings its tenant along.
function insertsObject(text: string): boolean {
  return /^\s*insert into [\w.]+\s*…\s*(on conflict[\s\S]*)?$/.test(text)
}

function allSql(project: Project): { file: SourceFile; start: number; text: string }[] {
  const inCode = codeFiles(project, 'src/').flatMap((file) =>
    statements(file).map(({ node, text }) => ({ file, start: node.start, text })),
  )
  const inMigrations = project.files
    .filter(({ path }) => path.endsWith('.sql'))
    .map((file) => ({ file, start: 0, text: file.text }))
  return [...inCode, ...inMigrations]
}

// Sub-selects and functions (`extract(epoch from at)`) may stay in a line.
function isTopClause(line: string): boolean {
  const outside = line.replaceAll(/\([^()]*\)/g, '').replace(/^(\s*)delete from/, '$1delete')
  return /^\s*(select|update|delete|from)\b.*\s(from|where|group by|order by)\s/.test(outside)
}
