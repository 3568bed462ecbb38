// docs/interface-coverage.md stays complete: every sentence has a test or a reason, and every
// `// covers:` comment quotes one sentence. coverage.ts writes the page.
import { quotedBy, sentencesFile, sentencesOf, tagsOf } from './coverage.ts'
import { operationIds } from './interface-rules.ts'
import { codeFiles, finding, type Rule, type SourceFile, type WithCode } from './project.ts'
import { collect, type Node } from './syntax.ts'

const reason = /^- (Not yet|Not ours|Not shown|See): /

export const coverageRules: Rule[] = [
  {
    name: `every operation of the merchant interface is in ${sentencesFile}`,
    check: (project) => {
      const text = project.find(sentencesFile)?.text ?? ''
      return codeFiles(project, 'src/merchant/').flatMap((file) =>
        operationIds(file)
          .filter(({ id }) => !text.includes(`\`${id}\``))
          .map(({ id, node }) => finding(file, node, `${id} is not in ${sentencesFile}`)),
      )
    },
    bad: [
      { 'src/merchant/a.ts': `defineRoute({ operationId: 'listBills' })` },
      {
        'src/merchant/a.ts': `defineRoute({ operationId: 'listBills' })`,
        [sentencesFile]: 'listBills',
      },
    ],
    good: [
      {
        'src/merchant/a.ts': `defineRoute({ operationId: 'listBills' })`,
        [sentencesFile]: '`listBills`',
      },
    ],
  },
  {
    name: 'every sentence of the interface has a test that covers it, or a reason why there is none',
    check: (project) => {
      const source = project.find(sentencesFile)
      if (!source) return []
      const sentences = sentencesOf(source)
      const covered = new Set(tagsOf(project).flatMap(({ quote }) => quotedBy(quote, sentences)))
      return sentences
        .filter((sentence) => !covered.has(sentence) && !hasReason(source, sentence.line))
        .map(({ line }) => ({ file: source.path, line, text: 'no test covers this' }))
    },
    bad: [
      withTag('// covers: A sentence.', '> A sentence.\n\n> Another.\n'),
      withTag('// covers: A sentence.', '> A sentence.\n\n> Another.\n\n- perhaps\n'),
    ],
    good: [
      withTag('// covers: A sentence.'),
      withTag(
        '// covers: A sentence.',
        '> A sentence.\n\n> Another.\n\n- Not ours: for clients.\n',
      ),
    ],
  },
  {
    name: 'every `// covers:` quotes one sentence and stands above a test or a case',
    check: (project) => {
      const source = project.find(sentencesFile)
      const sentences = source ? sentencesOf(source) : []
      return tagsOf(project).flatMap(({ file, start, quote, test }) => {
        const quoted = quotedBy(quote, sentences).length
        if (test === undefined) return [finding(file, start, 'stands above no test')]
        if (quoted === 1) return []
        return [finding(file, start, `quotes ${quoted} sentences of ${sentencesFile}: ${quote}`)]
      })
    },
    bad: [
      withTag('// covers: Another sentence.'),
      withTag('// covers: A sentence.', '> A sentence.\n\n> A sentence. Or two.\n'),
      withTag('// covers: Payout › A sentence.', '## Refund\n\n> A sentence.\n'),
      withTag('// covers: A sentence.\nconst a = 1'),
    ],
    good: [
      withTag('// covers: A sentence.'),
      withTag('// covers: A sen'),
      withTag('// covers: A sentence.\n// covers: Another', '> `A` sentence.\n\n> Another one.\n'),
      withTag(
        '// covers: Payout › A',
        '## Payout\n\n> A sentence.\n\n## Refund\n\n> A sentence.\n',
      ),
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

// A reason is a list below the sentence.
function hasReason(source: SourceFile, line: number): boolean {
  return reason.test(source.lines.slice(line).find((text) => text !== '') ?? '')
}

function literals(file: SourceFile & WithCode): Set<string> {
  return new Set(collect(file, ({ type }) => type === 'Literal').map(({ value }) => String(value)))
}

function withTag(comment: string, sentences = '> A sentence.\n'): Record<string, string> {
  return { [sentencesFile]: sentences, 'test/a.test.ts': `${comment}\nit('is so', () => {})\n` }
}
