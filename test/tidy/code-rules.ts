// What code must not do, or only in one place.
import {
  codeFiles,
  type Finding,
  finding,
  importsOf,
  type Rule,
  type SourceFile,
  type WithCode,
} from './project.ts'
import { callName, collect, dotted, type Node, programOf, walk } from './syntax.ts'

// Where something is allowed, each with its reason.
const networkFiles = new Map([
  ['src/kernel/http/rate-limit-redis.ts', 'shares the limits through Redis'],
  ['src/kernel/db/database-client.ts', 'connects to the database'],
  ['src/merchant/provider/flutterwave-client.ts', 'asks the payment provider'],
  ['src/kernel/webhooks/egress.ts', 'sends webhooks'],
  ['src/kernel/webhooks/egress-connections.ts', 'connects to receivers of webhooks'],
  ['src/kernel/webhooks/egress-url.ts', 'looks up where webhooks would go'],
  ['src/kernel/mail/mailer.ts', 'hands mails to the mail server'],
  ['src/simulator/webhooks/send-webhooks.ts', 'plays the provider, who calls us'],
  ['src/cli/listen/forward-event.ts', 'forwards events to the program of a developer'],
  ['src/web/islands/autosave.ts', 'saves a draft, in the browser'],
  ['src/web/islands/editor-choices.ts', 'looks contacts and items up, in the browser'],
  ['src/cli/trigger/pay-at-simulator.ts', 'plays the payer at the simulated provider'],
])
const classFiles = new Map([
  ['src/kernel/db/database-client.ts', 'the pool makes connections of a class'],
  ['src/kernel/db/database-values.ts', 'tells JSON from other values'],
  ['src/kernel/db/statement.ts', 'a statement is awaited, and runs once'],
  ['src/kernel/money/exact-number.ts', 'JSON.stringify asks objects for toJSON'],
  ['src/kernel/money/decimal.ts', 'JSON.stringify asks objects for toJSON'],
  ['src/web/islands/picker.ts', 'one open list with its field, over the life of a page'],
])
// The second one runs in the programs of others, alone.
const clockFolders = ['src/kernel/basics/', 'src/webhook-receiver/']
const conditionalTests = new Map([
  ['test/start/users.test.ts', 'what root does can only be seen as root'],
])
const moneyFolders = ['src/kernel/money/', 'src/kernel/ledger/', 'src/merchant/', 'src/books/']
const consoleFolders = ['src/cli/', 'bench/', 'scripts/']

export const codeRules: Rule[] = [
  {
    name: 'every file can be read',
    check: (project) =>
      codeFiles(project, '').flatMap((file) =>
        file.code.errors.map(({ message, labels }) =>
          finding(file, labels[0]?.start ?? 0, message),
        ),
      ),
    bad: [{ 'src/a.ts': 'const a = (' }],
    good: [{ 'src/a.tsx': 'const a = <p>text</p>' }],
  },
  {
    name: 'settings are read in config.ts alone',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        file.path === 'src/config.ts'
          ? []
          : [
              ...found(file, (node) => dotted(node) === 'process.env', 'reads process.env'),
              ...importsOf(file)
                .filter(({ specifier, names }) => {
                  return /^(node:)?process$/.test(specifier) && names?.includes('env')
                })
                .map(({ start }) => finding(file, start, 'imports the environment')),
            ],
      ),
    bad: [
      { 'src/a.ts': 'const port = process.env.PORT' },
      { 'src/a.ts': 'const { PORT } = process.env' },
      { 'src/a.ts': `import { env } from 'node:process'` },
    ],
    good: [{ 'src/config.ts': 'parse(process.env)', 'src/a.ts': 'process.exit(1)' }],
  },
  {
    name: 'time, ids and chance come from basics',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        clockFolders.some((folder) => file.path.startsWith(folder))
          ? []
          : found(file, isClockOrChance, 'asks the machine for time or chance'),
      ),
    bad: [
      { 'src/a.ts': 'const now = Date.now()' },
      { 'src/a.ts': 'const now = new Date()' },
      { 'src/a.ts': 'const now = performance.now()' },
      { 'src/a.ts': 'const die = Math.random()' },
      { 'src/a.ts': `import { randomUUID } from 'node:crypto'\nconst id = randomUUID()` },
      { 'src/a.ts': 'const id = crypto.randomUUID()' },
      { 'src/a.ts': 'const now = [1].map(Date.now)' },
    ],
    good: [
      { 'src/kernel/basics/clock.ts': 'const now = new Date()' },
      { 'src/a.ts': 'const then = new Date(now.getTime())' },
    ],
  },
  {
    name: 'only the clients of others open connections',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) => {
        if (networkFiles.has(file.path)) return []
        return [
          ...found(file, (node) => callName(node) === 'fetch', 'calls fetch'),
          ...importsOf(file)
            .filter((one) => !one.isType && isNetworkModule(one.specifier, one.names))
            .map(({ start, specifier }) => finding(file, start, `imports ${specifier}`)),
        ]
      }),
    bad: [
      { 'src/a.ts': `await fetch('https://example.com')` },
      { 'src/a.ts': `import { request } from 'node:https'` },
      { 'src/a.ts': `import { connect } from 'node:net'` },
      { 'src/a.ts': `import { Agent } from 'undici'` },
      { 'src/a.ts': `import { Redis } from 'ioredis'` },
    ],
    good: [
      { 'src/a.ts': `import { isIPv4, isIPv6 } from 'node:net'` },
      { 'src/a.ts': `import type { Socket } from 'node:net'` },
      { 'src/a.ts': `import { STATUS_CODES } from 'node:http'` },
    ],
  },
  {
    name: 'no any, no non-null assertion',
    check: (project) =>
      codeFiles(project, '').flatMap((file) => [
        ...found(file, ({ type }) => type === 'TSNonNullExpression', 'a non-null assertion'),
        ...collect(file, ({ type }) => type === 'TSAnyKeyword')
          .filter((node) => file.path.startsWith('src/') || !isExcused(file, node))
          .map((node) => finding(file, node, 'the type any')),
      ]),
    bad: [
      { 'src/a.ts': 'let a: any' },
      { 'src/a.ts': 'const a = (b as any).c' },
      { 'src/a.ts': 'const a = b!.c' },
      { 'test/a.ts': 'let a: any' },
      { 'src/a.ts': '// biome-ignore lint/x: a reason that is long enough\nlet a: any' },
    ],
    good: [
      { 'src/a.ts': 'let any: unknown = !b' },
      { 'test/a.ts': '// biome-ignore lint/x: a reason that is long enough\nlet a: any' },
    ],
  },
  {
    name: 'a check is switched off only with a reason',
    check: (project) =>
      codeFiles(project, '').flatMap((file) =>
        file.code.comments
          .filter(({ value }) => isUnreasonedIgnore(value))
          .map((comment) => finding(file, comment, 'switches a check off without a reason')),
      ),
    bad: [
      { 'src/a.ts': '// @ts-ignore' },
      { 'src/a.ts': '// @ts-nocheck' },
      { 'src/a.ts': '// @ts-expect-error' },
      { 'src/a.ts': '// biome-ignore lint/suspicious/noExplicitAny: x' },
      { 'src/a.ts': '/* eslint-disable */' },
    ],
    good: [{ 'src/a.ts': '// biome-ignore lint/a/b: the type is known to the caller only' }],
  },
  {
    name: 'no float comes near money',
    check: (project) =>
      moneyFolders.flatMap((folder) => codeFiles(project, folder).flatMap(floatMakers)),
    bad: [
      { 'src/merchant/a.ts': `const a = parseFloat('1')` },
      { 'src/merchant/a.ts': `const a = Number.parseFloat('1')` },
      { 'src/books/a.ts': 'const a = Number(amountMinor)' },
      { 'src/kernel/money/a.ts': 'const a = rate.toFixed(2)' },
      { 'src/kernel/ledger/a.ts': 'const a = amounts.map(Number)' },
    ],
    good: [{ 'src/cli/a.ts': 'const a = Number(text)', 'src/books/b.ts': 'Number.isInteger(a)' }],
  },
  {
    name: 'tests all run, and nothing prints',
    check: (project) =>
      codeFiles(project, '').flatMap((file) => [
        ...(conditionalTests.has(file.path) ? [] : found(file, isLeftOutTest, 'leaves tests out')),
        ...(consoleFolders.some((folder) => file.path.startsWith(folder))
          ? []
          : found(file, (node) => /^console\./.test(callName(node)), 'prints to the console')),
      ]),
    bad: [
      { 'test/a.test.ts': `it.only('a', () => {})` },
      { 'test/a.test.ts': `describe.skip('a', () => {})` },
      { 'test/a.test.ts': `it.each([1]).skip('a', () => {})` },
      { 'test/a.test.ts': `it.skipIf(true)('a', () => {})` },
      { 'test/a.test.ts': `test.todo('a')` },
      { 'src/a.ts': `console.log('a')` },
      { 'test/a.ts': `console.error('a')` },
    ],
    good: [{ 'src/cli/a.ts': `console.log('a')`, 'test/a.test.ts': `it.each([1])('a', () => {})` }],
  },
  {
    name: 'a class is an error, or has a reason',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        classFiles.has(file.path)
          ? []
          : found(
              file,
              (node) =>
                /^Class/.test(node.type) &&
                !/Error$/.test(dotted(node.superClass)) &&
                node.type !== 'ClassBody',
              'a class that is no error',
            ),
      ),
    bad: [{ 'src/a.ts': 'class Payments {}' }, { 'src/a.ts': 'const A = class extends Base {}' }],
    good: [{ 'src/a.ts': 'class Fault extends Error { a = 1 }' }],
  },
]

function found(
  file: SourceFile & WithCode,
  wanted: (node: Node) => boolean,
  text: string,
): Finding[] {
  return collect(file, wanted).map((node) => finding(file, node, text))
}

const forbiddenCalls =
  /^(Date\.now|performance\.now|Math\.random|(crypto\.)?randomUUID|process\.hrtime(\.bigint)?)$/

function isClockOrChance(node: Node): boolean {
  if (node.type === 'NewExpression') {
    return dotted(node.callee) === 'Date' && node.arguments.length === 0
  }
  if (node.type === 'CallExpression')
    return forbiddenCalls.test(dotted(node.callee)) && !dotted(node.callee).includes('.')
  return node.type === 'MemberExpression' && forbiddenCalls.test(dotted(node))
}

const networkModules =
  /^(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises)$|^(undici|ioredis|ws|axios|nodemailer)$/
// These names of such modules open nothing.
const harmlessNames = new Set(['isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES', 'createServer'])

function isNetworkModule(specifier: string, names: readonly string[] | undefined): boolean {
  if (!networkModules.test(specifier)) return false
  return names === undefined || names.some((name) => !harmlessNames.has(name))
}

function isExcused(file: SourceFile & WithCode, node: Node): boolean {
  const line = file.text.slice(0, node.start).split('\n').length
  const above = file.lines.slice(Math.max(0, line - 3), line - 1).join('\n')
  return /biome-ignore [\w/]+: .{10,}/.test(above)
}

function isUnreasonedIgnore(comment: string): boolean {
  if (/@ts-(ignore|nocheck)|eslint-disable/.test(comment)) return true
  if (/@ts-expect-error/.test(comment)) return !/@ts-expect-error:? .{10,}/.test(comment)
  return /biome-ignore/.test(comment) && !/biome-ignore(-all)? [\w/]+: .{10,}/.test(comment)
}

function floatMakers(file: SourceFile & WithCode): Finding[] {
  const findings: Finding[] = []
  walk(programOf(file), (node, parents) => {
    if (isFloatMaker(node, parents)) findings.push(finding(file, node, 'makes a float'))
  })
  return findings
}

function isFloatMaker(node: Node, parents: readonly Node[]): boolean {
  if (node.type === 'Identifier') {
    if (node.name === 'parseFloat') return true
    // `Number.isInteger` and the like make nothing.
    return (
      node.name === 'Number' &&
      parents.at(-1)?.type !== 'MemberExpression' &&
      !/^TS/.test(parents.at(-1)?.type ?? '')
    )
  }
  return node.type === 'MemberExpression' && ['toFixed', 'toPrecision'].includes(node.property.name)
}

function isLeftOutTest(node: Node): boolean {
  if (node.type !== 'MemberExpression' || node.computed) return false
  if (!/^(only|skip|skipIf|runIf|todo|fails)$/.test(node.property.name)) return false
  let { object } = node
  while (object && object.type !== 'Identifier') object = object.callee ?? object.object
  return /^(it|test|describe|suite)$/.test(object?.name ?? '')
}
