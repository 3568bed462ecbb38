// Which file can import which, and unused files and exports.
import {
  codeFiles,
  type Finding,
  finding,
  importsOf,
  type Project,
  type Rule,
  type SourceFile,
} from './project.ts'

// A folder may import itself and those to its left.
const kernelOrder = [
  ...['basics', 'money', 'db', 'ledger', 'jobs', 'mail', 'webhooks', 'auth', 'operations'],
  ...['access', 'notices', 'mailbox', 'account', 'endpoints', 'brand', 'http', 'web'],
]

// The same for the whole: services stand beside each other and never import one another.
const layers = ['kernel', 'texts', 'service', 'bridge', 'web', 'app', 'start', 'entry'] as const
const serviceFolders = ['merchant', 'books', 'simulator']

// What an operation's file begins with; a file of a service that begins otherwise is a noun.
const operationVerbs = [
  ...['create', 'list', 'get', 'open', 'update', 'cancel', 'refund', 'retry', 'delete', 'approve'],
  ...['verify', 'resolve', 'send', 'issue', 'void', 'withdraw', 'pay', 'charge', 'settle', 'post'],
  ...['apply', 'fail', 'start', 'finish', 'close', 'seal', 'reconcile', 'register', 'split'],
  ...['require', 'request', 'reserve', 'renew', 'decide', 'expire', 'set', 'watch'],
  ...['record', 'allocate', 'remove', 'write', 'book', 'reverse', 'revalue'],
  ...['edit', 'submit', 'return', 'reopen', 'discard', 'change', 'gather', 'import'],
  ...['invoice', 'read', 'export', 'draw', 'link', 'mark', 'revise', 'move', 'win', 'lose'],
  ...['find', 'check', 'poll', 'receive', 'add', 'assign', 'lift', 'reject', 'search', 'preview'],
  ...['confirm', 'run', 'undo', 'make', 'pause', 'resume', 'end', 'skip', 'merge'],
  ...['remind', 'stop', 'dispute'],
]
const serviceLists = new Set([
  ...['service.ts', 'operations.ts', 'invariants.ts'],
  'all-operations.ts',
])
// What begins with one of these words and is a noun all the same.
const nouns = new Set(['open-item.ts', 'invoice-page.ts', 'invoice-offer.ts'])
// Operations that are called by the trade's noun.
const nounOperations = new Set(['unmatched-refunds.ts'])

// Where a process starts, and what receivers of webhooks import; nothing else imports these.
const entryPoints = new Set([
  ...['src/main.ts', 'src/cli/main.ts', 'vitest.config.ts'],
  'src/webhook-receiver/webhooks.ts',
  // Named by the script in package.json.
  'bench/load-components.ts',
  // Runs in a thread that is started by its address.
  'src/books/documents/pdf/drawing-thread.ts',
  'src/merchant/qr-codes/qr-drawing-thread.ts',
])

// Installed by others, without the rest.
const receiverFolder = 'src/webhook-receiver/'

// Exports that no other file of src uses, with the reason. An entry that is not needed any more is
// a finding, so the lists only get shorter.
const exportsForTests: Readonly<Record<string, readonly string[]>> = {
  'src/config.ts': ['settingNames', 'parseSettings'],
  'src/kernel/auth/seal-audit-log.ts': ['sealAuditLog'],
  'src/kernel/db/server-version.ts': ['oldestMajorVersion', 'versionProblem'],
  'src/kernel/http/app.ts': ['bodyLimitBytes'],
  'src/kernel/ledger/fold-ledgers.ts': ['foldLedger'],
  'src/kernel/money/decimal.ts': ['decimalTextLengthMax', 'decimalExponentMax'],
  'src/kernel/money/exact-number.ts': ['jsonDepthMax'],
}
const exportsForServicesToCome: Readonly<Record<string, readonly string[]>> = {
  'src/kernel/operations/permission.ts': ['roleNames'],
  'src/kernel/ledger/ledger-store.ts': ['listBalances'],
  'src/kernel/ledger/ledger.ts': [...['balanceOf', 'creditBalanceOf']],
}

export const importRules: Rule[] = [
  {
    name: 'imports follow the direction of the house',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        importsOf(file).flatMap(({ start, target }) => {
          if (target === undefined) return []
          const problem = directionProblem(file.path, target)
          return problem ? [finding(file, start, problem)] : []
        }),
      ),
    bad: [
      { 'src/kernel/money/a.ts': `import { b } from '../auth/b.ts'` },
      { 'src/kernel/db/a.ts': `import { b } from '../../config.ts'` },
      { 'src/kernel/http/a.ts': `import type { B } from '../../merchant/b.ts'` },
      { 'src/books/contacts/a.ts': `import { b } from '../../merchant/b.ts'` },
      { 'src/merchant/payments/a.ts': `import { b } from '../../main.ts'` },
      { 'src/main.ts': `import { b } from './cli/main.ts'` },
      { 'src/main.ts': `import { b } from '../test/support/world.ts'` },
      { 'src/books/contacts/contact.ts': `import { b } from './contact-store.ts'` },
      { 'src/books/contacts/contact-store.ts': `import { b } from './create-contact.ts'` },
      { 'src/books/contacts/create-contact.ts': `import { b } from './contact-pages.tsx'` },
      { 'src/books/contacts/contact-pages.tsx': `import { b } from '../service.ts'` },
      { 'src/kernel/http/a.ts': `const b = await import('../web/b.ts')` },
      { [`${receiverFolder}a.ts`]: `import { b } from '../kernel/basics/b.ts'` },
      { 'src/cli/a.ts': `import { b } from '../webhook-receiver/b.ts'` },
    ],
    good: [
      { 'src/kernel/http/a.ts': `import { b } from '../auth/b.ts'; import { c } from './c.ts'` },
      { 'src/books/contacts/create-contact.ts': `import { b } from './contact-store.ts'` },
      { 'src/books/service.ts': `import { b } from './contacts/create-contact.ts'` },
      { 'src/cli/main.ts': `import { b } from '../config.ts'` },
    ],
  },
  {
    name: 'commands and pages import no store: they call operations',
    check: (project) =>
      [...codeFiles(project, 'src/cli/'), ...codeFiles(project, 'src/web/')].flatMap((file) => {
        const stores = importsOf(file).filter(({ target }) => target?.endsWith('-store.ts'))
        return stores.map(({ start, target }) => finding(file, start, `imports ${target}`))
      }),
    bad: [
      { 'src/cli/commands/a.ts': `import { b } from '../../books/contacts/contact-store.ts'` },
      { 'src/web/a.tsx': `import type { B } from '../kernel/auth/person-store.ts'` },
    ],
    good: [
      { 'src/cli/commands/a.ts': `import { b } from '../../books/contacts/create-contact.ts'` },
      { 'src/app/a.ts': `import { b } from '../books/contacts/contact-store.ts'` },
    ],
  },
  {
    name: 'no barrels, no default exports',
    check: (project) =>
      codeFiles(project, '').flatMap((file) => {
        if (entryPoints.has(file.path)) return []
        return file.code.module.staticExports.flatMap(({ start, entries }) =>
          entries.flatMap(({ moduleRequest, exportName }) => {
            if (moduleRequest) return [finding(file, start, 'hands on the exports of another file')]
            if (exportName.kind === 'Default' || exportName.name === 'default')
              return [finding(file, start, 'a default export')]
            return []
          }),
        )
      }),
    bad: [
      { 'src/a.ts': `export * from './b.ts'` },
      { 'src/a.ts': `export { b } from './b.ts'` },
      { 'src/a.ts': `export default function b() {}` },
      { 'test/a.ts': `const a = 1\nexport { a as default }` },
    ],
    good: [{ 'src/a.ts': `export const a = 1` }, { 'vitest.config.ts': 'export default {}' }],
  },
  {
    name: 'every file is reached from somewhere',
    check: (project) => {
      const reached = new Set<string>()
      for (const file of codeFiles(project, '')) {
        for (const { target } of importsOf(file)) if (target) reached.add(target)
      }
      return codeFiles(project, '')
        .filter(({ path }) => !reached.has(path) && !entryPoints.has(path))
        .filter(({ path }) => !/\.test\.tsx?$/.test(path) && !isNamedElsewhere(project, path))
        .map((file) => finding(file, 0, 'no file imports it'))
    },
    bad: [{ 'src/a.ts': 'export const a = 1', 'src/main.ts': `import { b } from './b.ts'` }],
    good: [
      { 'src/a.ts': 'export const a = 1', 'src/main.ts': `import { a } from './a.ts'` },
      { 'test/support/a.ts': '', 'test/b.test.ts': `spawn('node', ['test/support/a.ts'])` },
    ],
  },
  {
    name: 'what receivers of webhooks install needs nothing else',
    check: (project) =>
      codeFiles(project, receiverFolder).flatMap((file) =>
        importsOf(file)
          .filter(({ specifier, target }) => target === undefined && specifier !== 'node:crypto')
          .map(({ start, specifier }) => finding(file, start, `imports ${specifier}`)),
      ),
    bad: [
      { [`${receiverFolder}a.ts`]: `import { z } from 'zod'` },
      { [`${receiverFolder}a.ts`]: `import type { Server } from 'node:http'` },
    ],
    good: [{ [`${receiverFolder}a.ts`]: `import { createHmac } from 'node:crypto'` }],
  },
  {
    name: 'every export is used by another file, and not by tests alone',
    check: (project) => unusedExports(project),
    bad: [
      { 'src/a.ts': 'export const a = 1' },
      { 'src/a.ts': 'export function a() {}', 'test/a.test.ts': `import { a } from '../src/a.ts'` },
      { 'src/a.ts': 'export type A = string' },
      {
        'src/a.ts': 'export const a = 1\nexport const c = 2',
        'src/b.ts': `import { a } from './a.ts'`,
      },
    ],
    good: [
      { 'src/a.ts': 'export const a = 1', 'src/b.ts': `import { a } from './a.ts'` },
      { 'src/a.ts': 'export const a = 1', 'src/b.ts': `import * as all from './a.ts'` },
      {
        'src/a.ts': 'export type A = string\nexport function a(one: A) {}',
        'src/b.ts': `import { a } from './a.ts'`,
      },
    ],
  },
  {
    name: 'no exception outlives its reason',
    check: (project) => staleExceptions(project),
    bad: [
      { 'src/kernel/money/exact-number.ts': 'export const other = 1' },
      {
        'src/kernel/money/exact-number.ts': 'export const jsonDepthMax = 1',
        'src/a.ts': `import { jsonDepthMax } from './kernel/money/exact-number.ts'`,
      },
    ],
    good: [{ 'src/kernel/money/exact-number.ts': 'export const jsonDepthMax = 1' }],
  },
]

function directionProblem(from: string, to: string): string | undefined {
  if (!to.startsWith('src/')) return `src imports ${to}`
  if (from.startsWith(receiverFolder) !== to.startsWith(receiverFolder)) {
    return `${receiverFolder} stands alone`
  }
  const [own, other] = [place(from), place(to)]
  if (own.layer === 'service' && other.layer === 'service') {
    if (own.folder !== other.folder) return `${own.folder} imports ${other.folder}`
    return rank(to) > rank(from) ? `a ${kind(from)} imports a ${kind(to)}: ${to}` : undefined
  }
  if (own.layer === 'entry' && other.layer === 'entry') {
    return own.folder === other.folder ? undefined : `${own.folder} imports ${other.folder}`
  }
  if (layers.indexOf(other.layer) > layers.indexOf(own.layer)) {
    return `${own.layer} imports ${other.layer}: ${to}`
  }
  if (own.layer !== 'kernel') return undefined
  const [left, right] = [kernelOrder.indexOf(own.folder), kernelOrder.indexOf(other.folder)]
  if (left === -1) return `${own.folder} is no folder of the kernel`
  return right > left ? `kernel/${own.folder} imports kernel/${other.folder}` : undefined
}

function place(path: string): { layer: (typeof layers)[number]; folder: string } {
  const [, first = '', second = ''] = path.split('/')
  if (first === 'kernel') return { layer: 'kernel', folder: second }
  if (first === 'payer-texts') return { layer: 'texts', folder: first }
  if (serviceFolders.includes(first)) return { layer: 'service', folder: first }
  if (first === 'bridge' || first === 'web' || first === 'app')
    return { layer: first, folder: first }
  // The settings are part of starting, and nothing else may read them.
  if (first === 'start' || first === 'config.ts') return { layer: 'start', folder: 'start' }
  // Commands open the database themselves, as `main.ts` does, so they stand where it stands.
  return { layer: 'entry', folder: first }
}

const kinds = ['noun', 'store', 'operation', 'page', 'service'] as const

function kind(path: string): (typeof kinds)[number] {
  const name = path.split('/').at(-1) ?? ''
  // Lists of what a service has.
  if (serviceLists.has(name)) return 'service'
  if (/-store\.ts$/.test(name)) return 'store'
  if (/\.tsx$|-pages\.ts$/.test(name)) return 'page'
  if (nouns.has(name)) return 'noun'
  if (nounOperations.has(name)) return 'operation'
  if (operationVerbs.some((verb) => name.startsWith(`${verb}-`))) return 'operation'
  return 'noun'
}

// The simulator is its own server and not cut into resources with pages.
function rank(path: string): number {
  return path.startsWith('src/simulator/') ? 0 : kinds.indexOf(kind(path))
}

function isNamedElsewhere({ files }: Project, path: string): boolean {
  const name = path.split('/').at(-1) ?? path
  return files.some(
    (file) =>
      file.path !== path &&
      /\.(ts|tsx|mjs|json)$/.test(file.path) &&
      new RegExp(`['"/ ]${name.replaceAll('.', '\\.')}['"]`).test(file.text) &&
      !importsName(file, path),
  )
}

function importsName(file: SourceFile, path: string): boolean {
  return (
    file.code !== undefined &&
    importsOf({ ...file, code: file.code }).some(({ target }) => target === path)
  )
}

function unusedExports(project: Project): Finding[] {
  const bySource = usedExports(project, 'src/')
  const byTests = new Set([...usedExports(project, 'test/'), ...usedExports(project, 'bench/')])
  return codeFiles(project, 'src/').flatMap((file) =>
    file.code.module.staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ exportName, localName, moduleRequest }) => {
        const { name } = exportName
        if (name === null || moduleRequest) return []
        const id = `${file.path} ${name}`
        if (bySource.has(id) || bySource.has(`${file.path} *`)) return []
        if (isTypeOfAnotherExport(file, start, localName.name ?? name)) return []
        if (exportsForServicesToCome[file.path]?.includes(name)) return []
        if (!byTests.has(id)) return [finding(file, start, `nothing uses ${name}`)]
        if (exportsForTests[file.path]?.includes(name)) return []
        return [finding(file, start, `only tests use ${name}`)]
      }),
    ),
  )
}

// Exceptions for what is used by now, or is gone.
function staleExceptions(project: Project): Finding[] {
  const used = usedExports(project, 'src/')
  const listed = { ...exportsForServicesToCome }
  for (const [path, names] of Object.entries(exportsForTests)) {
    listed[path] = [...(listed[path] ?? []), ...names]
  }
  return codeFiles(project, 'src/').flatMap((file) => {
    const exported = new Set(
      file.code.module.staticExports.flatMap(({ entries }) =>
        entries.map(({ exportName }) => exportName.name),
      ),
    )
    return (listed[file.path] ?? [])
      .filter((name) => used.has(`${file.path} ${name}`) || !exported.has(name))
      .map((name) => finding(file, 0, `the exception for ${name} is not needed any more`))
  })
}

function usedExports(project: Project, under: string): Set<string> {
  const used = new Set<string>()
  for (const file of codeFiles(project, under)) {
    for (const { target, names } of importsOf(file)) {
      for (const name of names ?? ['*']) used.add(`${target} ${name}`)
    }
  }
  return used
}

// A type that an exported function takes or returns is part of that function.
function isTypeOfAnotherExport(file: SourceFile, start: number, name: string): boolean {
  if (!/^export (type|interface) /.test(file.text.slice(start, start + 20))) return false
  return (file.text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
}
