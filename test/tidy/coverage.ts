// docs/interface-coverage.md is written from two things:
//   - test/contract/merchant-interface.md, which quotes the sentences of the interface in order;
//   - comments in the tests, which say what a test proves:
//
//     // covers: Every response carries an X-Request-Id
//     it('has a request id', …)
//
// A comment quotes the beginning of one sentence, enough to tell it from every other, and may name
// its section first: `// covers: Payout › currency`. It stands above a test, or above a case in the
// table of an `it.each`; then the page names the case too.
import { codeFiles, type Project, type SourceFile, type WithCode } from './project.ts'
import { dotted, type Node, programOf, templateText, walk } from './syntax.ts'

export const sentencesFile = 'test/contract/merchant-interface.md'
export const coverageFile = 'docs/interface-coverage.md'

export type Sentence = { readonly line: number; readonly section: string; readonly text: string }

// What a comment says, and the test and case that it stands above.
export type Tag = {
  readonly file: SourceFile
  readonly start: number
  readonly quote: string
  readonly test: string | undefined
  readonly caseName: string | undefined
}

export function coveragePage(project: Project): string {
  const source = project.find(sentencesFile)
  if (!source) return ''
  const sentences = sentencesOf(source)
  const tags = Map.groupBy(tagsOf(project), ({ quote }) => quotedBy(quote, sentences)[0]?.line)
  const lines = source.lines.flatMap((line, index) => {
    const list = listOf(tags.get(index + 1) ?? [])
    if (list.length === 0) return [line]
    // Remarks about the sentence, if any, follow in the same list.
    return [line, '', ...list]
  })
  return lines.join('\n').replace(/(\n- `[^\n]*\n)\n(?=- )/g, '$1')
}

export function sentencesOf(source: SourceFile): Sentence[] {
  let section = ''
  return source.lines.flatMap((line, index) => {
    if (line.startsWith('#')) section = line.replace(/^#+ /, '')
    return line.startsWith('> ') ? [{ line: index + 1, section, text: line.slice(2) }] : []
  })
}

// The sentences that a comment could mean: exactly one, or the comment is wrong.
export function quotedBy(quote: string, sentences: readonly Sentence[]): Sentence[] {
  const [beginning = '', section] = quote.split(' › ').reverse()
  return sentences.filter(
    (sentence) =>
      (section === undefined || sentence.section === section) &&
      plain(sentence.text).startsWith(plain(beginning)),
  )
}

const plain = (text: string) => text.replaceAll('`', '')

export function tagsOf(project: Project): Tag[] {
  return codeFiles(project, 'test/')
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .flatMap((file) => {
      const comments = file.code.comments.filter(({ value }) => value.startsWith(' covers: '))
      if (comments.length === 0) return []
      const tests = testsOf(file)
      return comments.map(({ value, start }) => ({
        file,
        start,
        quote: value.replace(' covers: ', ''),
        ...placeOf(file, tests, start),
      }))
    })
}

type Test = { readonly name: string; readonly node: Node; readonly table: Node | undefined }

function placeOf(file: SourceFile & WithCode, tests: readonly Test[], start: number) {
  const inTable = tests.find(({ table }) => table && table.start < start && start < table.end)
  if (inTable) {
    return { test: inTable.name, caseName: firstLiteral(file, start, inTable.table) }
  }
  // Nothing but further comments stands between a comment and its test.
  const next = tests.find(({ node }) => node.start > start)
  const between = next && file.text.slice(start, next.node.start).split('\n').slice(1, -1)
  const isBeside = between?.every((line) => line.trim().startsWith('//')) === true
  return { test: isBeside ? next?.name : undefined, caseName: undefined }
}

function firstLiteral(file: SourceFile & WithCode, start: number, table: Node | undefined) {
  let found: Node | undefined
  walk(programOf(file), (node) => {
    if (node.type !== 'Literal' || node.start < start || node.end > (table?.end ?? 0)) return
    if (!found || node.start < found.start) found = node
  })
  return found && String(found.value)
}

function testsOf(file: SourceFile & WithCode): Test[] {
  const tests: Test[] = []
  walk(programOf(file), (node, parents) => {
    const own = nameOf(node)
    if (!own || own.kind === 'describe') return
    const around = parents.flatMap((parent) => nameOf(parent)?.name ?? [])
    const table = own.table?.type === 'Identifier' ? tableBefore(file, own.table) : own.table
    tests.push({ name: [...around, own.name].join(' › '), node, table })
  })
  return tests
}

// Of `it('…')`, `test('…')` and `describe('…')`, also behind `.each(…)`.
function nameOf(node: Node): { kind: string; name: string; table?: Node } | undefined {
  if (node.type !== 'CallExpression') return undefined
  const called = node.callee.type === 'CallExpression' ? node.callee.callee : node.callee
  const kind = /^(it|test|describe)(\.each)?$/.exec(dotted(called))?.[1]
  const [name] = node.arguments
  if (kind === undefined || !name) return undefined
  const table = called === node.callee ? undefined : node.callee.arguments[0]
  if (name.type === 'TemplateLiteral') return { kind, name: templateText(name), table }
  return name.type === 'Literal' ? { kind, name: String(name.value), table } : undefined
}

// A table that has a name is the last one of that name above its test.
function tableBefore(file: SourceFile & WithCode, { name, start }: Node): Node | undefined {
  let found: Node | undefined
  walk(programOf(file), (node) => {
    if (node.type !== 'VariableDeclarator' || node.start > start) return
    if (node.id.name === name) found = node.init
  })
  return found
}

// A line a test, with those of its cases that are named.
function listOf(tags: readonly Tag[]): string[] {
  const cases = new Map<string, string[]>()
  for (const { file, test, caseName } of tags) {
    const key = `- \`${file.path} › ${test}\``
    cases.set(key, [...(cases.get(key) ?? []), ...(caseName === undefined ? [] : [caseName])])
  }
  return [...cases].map(([test, names]) =>
    names.length === 0 ? test : `${test} with ${names.map((name) => `\`${name}\``).join(', ')}`,
  )
}
