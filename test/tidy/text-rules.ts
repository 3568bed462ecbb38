// Sizes, names and words. The limits are what the code has today and only get smaller.
import { codeFiles, type Finding, finding, type Rule, type SourceFile } from './project.ts'
import { collect } from './syntax.ts'

const linesMax = { src: 251, test: 470 }
const functionLinesMax = 87
const columnsMax = 100
// A migration that was applied never changes.
const longLinesAllowed = ['migrations/0003-jobs.sql']

// Words of the two services, which the kernel must not know.
const businessWords = /\b(payments?|payouts?|refunds?|invoices?|settlements?)\b/gi
const kernelFilesWithBusinessWords = new Map([
  ['src/kernel/http/openapi-responses.ts', 'describes the failures that the interface names'],
])

// Pieces, so that this file does not find itself.
const machinePaths = new RegExp(
  `(^|[\\s"'\`(=:])/(${['work', 'root', 'home/\\w+', 'Users/\\w+'].join('|')})/`,
)
const registryHosts = new RegExp(
  ['registry', '\\.\\w+\\.(org|com|io)|art', 'ifactory|verd', 'accio'].join(''),
)

// Phrases that make a reader decode a sentence, with what to write instead. A space matches a line
// break too, also inside a comment.
const bannedPhrases: readonly (readonly [phrase: string, instead: string])[] = [
  ['who(m)?ever', 'say who'],
  ['(nobody|somebody)', 'no one, someone, or say who'],
  ["of (one['’]s|its|their|his|her|our|your|my) own", 'your own, its own, or separate'],
  ['(is|are|was|were) to be', 'must, or say who does it'],
  ['there (is|are|was|were) (nothing|nobody|none) that', 'nothing, no …'],
  ['what (is|was) (given|given up|told|asked|asked for|said|there|wanted|meant)', 'name it'],
  ['stretch of time', 'time range'],
  ['mend(s|ed|ing)?', 'fix'],
  ['see(s|n)? to (it|what)', 'make sure, or say who does it'],
  ['lays? (it|them|one|this) to rest', 'close'],
  ['come(s)? upon', 'find, or already in use'],
  ['with a word of it', 'with a warning'],
]
// Files that the rule covers. A path that ends in a slash stands for everything below it.
const plainPaths = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'config.example.env', 'compose.yaml'],
  ...['Dockerfile', 'docs/', 'src/', 'test/', 'bench/', 'scripts/'],
]
const filesWithOtherWords = new Map([
  ['test/tidy/text-rules.ts', 'lists the phrases'],
  ['test/contract/merchant-interface.md', 'quotes the interface'],
  ['docs/interface-coverage.md', 'quotes the interface'],
])

export const textRules: Rule[] = [
  {
    name: 'files are no longer than the longest one today',
    check: ({ files }) =>
      files.flatMap((file) => {
        const max = linesMax[file.path.split('/')[0] as 'src' | 'test']
        const count = file.lines.filter((line) => !/^ *\/\/ covers: /.test(line)).length - 1
        if (!max || !/\.tsx?$/.test(file.path) || count <= max) return []
        return [finding(file, 0, `${count} lines; at most ${max}`)]
      }),
    bad: [
      { 'src/a.ts': '\n'.repeat(linesMax.src + 1) },
      { 'test/a.ts': '\n'.repeat(linesMax.test + 1) },
    ],
    good: [
      { 'src/a.ts': '\n'.repeat(linesMax.src) },
      { 'test/a.ts': `${'\n'.repeat(linesMax.test)}  // covers: Payout\n` },
    ],
  },
  {
    name: 'functions are no longer than the longest one today',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        collect(file, ({ type }) => /Function(Declaration|Expression)$/.test(type)).flatMap(
          (node) => {
            const count = file.text.slice(node.start, node.end).split('\n').length
            return count > functionLinesMax
              ? [finding(file, node, `a function of ${count} lines`)]
              : []
          },
        ),
      ),
    bad: [{ 'src/a.ts': `function a() {${'\n'.repeat(functionLinesMax)}}` }],
    good: [{ 'src/a.ts': `function a() {${'\n'.repeat(functionLinesMax - 1)}}` }],
  },
  {
    name: `lines have at most ${columnsMax} columns`,
    check: ({ files }) =>
      files.flatMap((file) =>
        /\.(tsx?|mjs|sql)$/.test(file.path) && !longLinesAllowed.includes(file.path)
          ? lineFindings(
              file,
              (line) => [...line].length > columnsMax && !isUnbreakable(line),
              'long',
            )
          : [],
      ),
    bad: [{ 'src/a.ts': `// ${'word '.repeat(20)}` }],
    good: [
      { 'src/a.ts': `// ${'word '.repeat(19)}`, 'src/b.ts': `const a = '${'x'.repeat(120)}'` },
    ],
  },
  {
    name: 'nothing is left to do, commented out or fenced in',
    check: (project) =>
      codeFiles(project, '').flatMap((file) =>
        file.code.comments.flatMap((comment) => {
          const problem = commentProblem(comment.value)
          return problem ? [finding(file, comment, problem)] : []
        }),
      ),
    bad: [
      { 'src/a.ts': '// TODO: later' },
      { 'src/a.ts': '/* FIXME */' },
      { 'src/a.ts': '// ------------' },
      { 'src/a.ts': '// const a = find(b)' },
      { 'src/a.ts': `// import { a } from './b.ts'` },
    ],
    good: [{ 'src/a.ts': '// What is done here must not be done twice.' }],
  },
  {
    name: 'a name says what a file is',
    check: ({ files }) =>
      files.flatMap((file) => {
        const name = file.path.split('/').at(-1) ?? ''
        if (!/^(src|test|bench)\//.test(file.path) || file.path.includes('/__snapshots__/'))
          return []
        const vague = /(^|[-.])(utils?|helpers?|common|misc|managers?|index|shared|lib)[-.]/.test(
          name,
        )
        if (vague) return [finding(file, 0, 'a name that says nothing')]
        const ok = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(tsx?|json|css|svg|js|sql|lua|md)$/.test(name)
        return ok ? [] : [finding(file, 0, 'a name in another style')]
      }),
    bad: [
      { 'src/utils.ts': '' },
      { 'src/payment-helpers.ts': '' },
      { 'src/index.ts': '' },
      { 'src/createPayment.ts': '' },
    ],
    good: [{ 'src/create-payment.ts': '', 'test/a.test.ts': '' }],
  },
  {
    name: 'no two file names differ by word order alone',
    check: ({ files }) => {
      const code = files.filter(({ path }) => /^(src|test|bench)\/.*\.(tsx?|mjs)$/.test(path))
      const groups = Map.groupBy(code, ({ path }) => wordsOf(path).toSorted().join('-'))
      return [...groups.values()].flatMap(([first, ...others]) =>
        others
          .filter(({ path }) => first && wordsOf(path).join() !== wordsOf(first.path).join())
          .map((file) => finding(file, 0, `the words of ${first?.path} in another order`)),
      )
    },
    bad: [{ 'src/a/payout-request.ts': '', 'src/b/request-payout.tsx': '' }],
    good: [{ 'src/a/request-payout.ts': '', 'test/a/request-payout.test.ts': '' }],
  },
  {
    name: 'the kernel knows no word of the services',
    check: (project) =>
      codeFiles(project, 'src/kernel/').flatMap((file) => {
        if (kernelFilesWithBusinessWords.has(file.path)) return []
        // An example in a comment is not knowledge.
        const code = file.code.comments.reduce(
          (text, { start, end }) =>
            text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
          file.text,
        )
        const words = [...code.matchAll(businessWords)]
        return words.map(({ index, 0: word }) => finding(file, index, `knows the word ${word}`))
      }),
    bad: [
      { 'src/kernel/a.ts': `const path = '/payouts'` },
      { 'src/kernel/a.ts': 'type Payment = { invoice: string }' },
    ],
    good: [
      { 'src/kernel/a.ts': '// such as a payment\nlet document', 'src/merchant/b.ts': 'payment' },
    ],
  },
  {
    name: 'plain words',
    check: ({ files }) =>
      files.flatMap((file) => {
        const isPlain = plainPaths.some((path) =>
          path.endsWith('/') ? file.path.startsWith(path) : file.path === path,
        )
        return isPlain && !filesWithOtherWords.has(file.path) ? bannedPhrasesIn(file) : []
      }),
    bad: [
      { 'docs/a.md': 'Whoever asks is answered.' },
      { 'docs/a.md': 'It has a database of its\nown.' },
      { 'docs/a.md': 'One thing is to be mended.' },
      { Dockerfile: '# For somebody\n' },
      { 'compose.yaml': '# A database of\n# its own.' },
      { 'src/a.ts': '// For nobody.' },
      { 'test/a.test.ts': `it('is refused to whoever asks', () => {})` },
    ],
    good: [
      { 'docs/a.md': 'PostgreSQL runs as `nobody`; see [0020](0020-charges-nobody-wanted.md).' },
      { 'docs/a.md': 'Each business has its own ledger.', 'other.md': 'whoever' },
      { 'src/a.ts': `const user = 'nobody'` },
    ],
  },
  {
    name: 'no path of a machine and no registry',
    check: ({ files }) =>
      files.flatMap((file) =>
        lineFindings(
          file,
          (line) => machinePaths.test(line) || registryHosts.test(line),
          'names a machine or a registry',
        ),
      ),
    bad: [
      { 'docs/a.md': `see /${'work'}/main` },
      { 'src/a.ts': `const a = '/${'home'}/somebody/a'` },
      { '.npmrc': `registry=https://${'registry'}.example.org/` },
    ],
    good: [{ 'docs/a.md': 'see docs/work/ and https://example.com/root/a' }],
  },
  {
    name: 'the lock file records no download addresses',
    check: ({ find }) => {
      const lock = find('package-lock.json')
      return lock ? lineFindings(lock, (line) => /^\s*"resolved":/.test(line), 'an address') : []
    },
    bad: [{ 'package-lock.json': '{\n  "resolved": "https://example.com/a.tgz"\n}' }],
    good: [{ 'package-lock.json': '{\n  "version": "1.0.0"\n}' }],
  },
]

function wordsOf(path: string): string[] {
  const name = path.split('/').at(-1) ?? ''
  return name.replace(/(\.test)?\.\w+$/, '').split('-')
}

function lineFindings(
  file: SourceFile,
  wanted: (line: string) => boolean,
  text: string,
): Finding[] {
  return file.lines.flatMap((line, index) =>
    wanted(line)
      ? [{ file: file.path, line: index + 1, text: `${text}: ${line.trim().slice(0, 80)}` }]
      : [],
  )
}

// Code spans, quoted single words and link targets are names, not text.
function bannedPhrasesIn(file: SourceFile): Finding[] {
  const blank = (name: string) => name.replaceAll(/\S/g, ' ')
  const text = file.text.replaceAll(/`[^`\n]+`|'\w+'|\]\([^)\s]+\)/g, blank)
  return bannedPhrases.flatMap(([phrase, instead]) => {
    const gap = String.raw`(?:[ \t]|\n[ \t]*(?:\/\/|#|\*)?[ \t]*)+`
    const pattern = new RegExp(`\\b${phrase.replaceAll(' ', gap)}\\b`, 'gi')
    return [...text.matchAll(pattern)].map(({ index, 0: words }) =>
      finding(file, index, `“${words.replaceAll(/\s+/g, ' ')}”: write ${instead}`),
    )
  })
}

// A long string or pattern has no place to break.
function isUnbreakable(line: string): boolean {
  return /'[^']{60,}'|"[^"]{60,}"|`.{60,}`|\/.{60,}\//.test(line)
}

function commentProblem(comment: string): string | undefined {
  if (/\b(TODO|FIXME|HACK)\b/.test(comment)) return 'something left to do'
  if (/[-=*#~]{6,}/.test(comment)) return 'a banner'
  if (/^\s*(import .+ from |(const|let) \w+ = |return \w+[.(]|await \w+\()/.test(comment)) {
    return 'code that is commented out'
  }
  return undefined
}
