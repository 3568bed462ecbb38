// docs/interface-coverage.md quotes the merchant interface and names the tests that prove each
// sentence. It is written by hand; this keeps what it names true when tests are renamed or removed.
//
// A quoted sentence is followed by a list. An item names a test as the path of its file and the
// names around it, as they are written there, and may go on with the cases of a table of tests:
//   - `test/a.test.ts › 400 › is the answer to %s` with `no title`, `two titles`
// or says in words why there is none, beginning with one of the words below.
import { operationIds } from './interface-rules.ts'
import {
  codeFiles,
  finding,
  type Project,
  type Rule,
  type SourceFile,
  type WithCode,
} from './project.ts'
import { collect, dotted, type Node, programOf, templateText, walk } from './syntax.ts'

const document = 'docs/interface-coverage.md'
const withoutTest = /^- (Not yet|Not ours|Not shown|See): /

export const coverageRules: Rule[] = [
  {
    name: 'every operation of the merchant interface is in docs/interface-coverage.md',
    check: (project) => {
      const text = project.find(document)?.text ?? ''
      return codeFiles(project, 'src/merchant/').flatMap((file) =>
        operationIds(file)
          .filter(({ id }) => !text.includes(`\`${id}\``))
          .map(({ id, node }) => finding(file, node, `${id} is not in ${document}`)),
      )
    },
    bad: [
      { 'src/merchant/a.ts': `defineRoute({ operationId: 'listBills' })` },
      { 'src/merchant/a.ts': `defineRoute({ operationId: 'listBills' })`, [document]: 'listBills' },
    ],
    good: [
      {
        'src/merchant/a.ts': `defineRoute({ operationId: 'listBills' })`,
        [document]: '`listBills`',
      },
    ],
  },
  {
    name: 'every sentence of docs/interface-coverage.md names tests that there are',
    check: (project) => {
      const file = project.find(document)
      if (!file) return []
      const known = knownTests(project)
      return file.lines.flatMap((line, index) => {
        const problem = line.startsWith('- ')
          ? itemProblem(line, known)
          : quoteProblem(file.lines.slice(index))
        return problem ? [{ file: file.path, line: index + 1, text: problem }] : []
      })
    },
    bad: [
      { [document]: '> A sentence.\n' },
      { [document]: '> A sentence.\n\n> Another.\n\n- Not shown: what it means.\n' },
      { [document]: '> A sentence.\n\n- perhaps\n' },
      withTests('- `test/a.test.ts`'),
      withTests('- `test/b.test.ts › 400 › is the answer to %s`'),
      withTests('- `test/a.test.ts › is the answer to %s`'),
      withTests('- `test/a.test.ts › 400 › is the answer`'),
      withTests('- `test/a.test.ts › 400 › is the answer to %s` with `no name`'),
      withTests('- `test/a.test.ts › $name › is refused by …`'),
    ],
    good: [
      withTests('- `test/a.test.ts › 400 › is the answer to %s`'),
      withTests('- `test/a.test.ts › 400 › is the answer to %s` with `no title`, `two titles`'),
      withTests('- `test/a.test.ts › 400 › $name › is refused for …`'),
      withTests('- Not ours: it is for clients.'),
    ],
  },
  {
    name: 'every invariant is named by a test, which breaks it',
    check: (project) => {
      const tests = codeFiles(project, 'test/').filter(({ path }) => path.endsWith('.test.ts'))
      const named = new Set(tests.flatMap((file) => [...literals(file)]))
      return codeFiles(project, 'src/')
        .filter(({ path }) => path.endsWith('/invariants.ts'))
        .flatMap((file) => collect(file, isInvariantId).map((node) => ({ file, node })))
        .filter(({ node }) => !named.has(String(node.value)))
        .map(({ file, node }) => finding(file, node, `no test breaks ${node.value}`))
    },
    bad: [
      { 'src/a/invariants.ts': `const all = [{ id: 'I1.1', title: 'it holds' }]` },
      {
        'src/a/invariants.ts': `const all = [{ id: 'I1.1' }, { id: 'I1.2' }]`,
        'test/a.test.ts': `expect(broken).toEqual(['I1.2'])`,
      },
    ],
    good: [
      {
        'src/a/invariants.ts': `const all = [{ id: 'I1.1', title: 'it holds' }]`,
        'test/a.test.ts': `expect(broken).toEqual(['I1.1'])`,
      },
    ],
  },
]

const isInvariantId = (node: Node) =>
  node.type === 'Literal' && /^I\d+\.\d+$/.test(String(node.value))

type KnownTests = ReadonlyMap<string, { names: ReadonlySet<string>; cases: ReadonlySet<string> }>

function knownTests(project: Project): KnownTests {
  const files = codeFiles(project, 'test/').filter(({ path }) => path.endsWith('.test.ts'))
  return new Map(
    files.map((file) => [file.path, { names: testNames(file), cases: literals(file) }]),
  )
}

function itemProblem(item: string, known: KnownTests): string | undefined {
  if (withoutTest.test(item)) return undefined
  const [test = '', ...cases] = [...item.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '')
  if (!item.startsWith(`- \`${test}\``) || !test.includes(' › ')) return 'names no test'
  const [path = '', ...names] = test.split(' › ')
  const file = known.get(path)
  if (!file) return `there is no ${path}`
  if (!file.names.has(names.join(' › '))) return `there is no test ${test}`
  const missing = cases.find((one) => !file.cases.has(one))
  return missing === undefined ? undefined : `there is no case ${missing} of ${test}`
}

// Of the last line of a quotation, which a list must follow.
function quoteProblem([line = '', ...rest]: readonly string[]): string | undefined {
  if (!line.startsWith('>') || rest[0]?.startsWith('>')) return undefined
  return rest.find((text) => text !== '')?.startsWith('- ') ? undefined : 'says nothing of tests'
}

function testNames(file: SourceFile & WithCode): Set<string> {
  const names = new Set<string>()
  walk(programOf(file), (node, parents) => {
    const own = nameOf(node)
    if (!own || own.kind === 'describe') return
    const around = parents.flatMap((parent) => nameOf(parent)?.name ?? [])
    names.add([...around, own.name].join(' › '))
  })
  return names
}

// Of `it('…')`, `test('…')` and `describe('…')`, also behind `.each(…)`.
function nameOf(node: Node): { kind: string; name: string } | undefined {
  if (node.type !== 'CallExpression') return undefined
  const called = node.callee.type === 'CallExpression' ? node.callee.callee : node.callee
  const kind = /^(it|test|describe)(\.each)?$/.exec(dotted(called))?.[1]
  const [name] = node.arguments
  if (kind === undefined || !name) return undefined
  if (name.type === 'TemplateLiteral') return { kind, name: templateText(name) }
  return name.type === 'Literal' ? { kind, name: String(name.value) } : undefined
}

function literals(file: SourceFile & WithCode): Set<string> {
  return new Set(collect(file, ({ type }) => type === 'Literal').map(({ value }) => String(value)))
}

function withTests(item: string): Record<string, string> {
  return {
    [document]: `> A sentence.\n\n${item}\n`,
    'test/a.test.ts': `
      describe('400', () => {
        it.each([['no title'], ['two titles']])('is the answer to %s', () => {})
        describe.each(routes)('$name', () => {
          it(\`is refused for \${reason}\`, () => {})
        })
      })`,
  }
}
