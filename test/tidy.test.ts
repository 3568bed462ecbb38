// The house rules that a machine can check, for every file of the repository. All findings are
// reported together. Limits and exceptions are beside their rules and only get fewer.
import { describe, expect, it } from 'vitest'
import { codeRules } from './tidy/code-rules.ts'
import { coverageFile, coveragePage } from './tidy/coverage.ts'
import { coverageRules } from './tidy/coverage-rules.ts'
import { distributionRules } from './tidy/distribution-rules.ts'
import { failpointRules } from './tidy/failpoint-rules.ts'
import { importRules } from './tidy/import-rules.ts'
import { interfaceRules } from './tidy/interface-rules.ts'
import { type Rule, readProject, sampleProject } from './tidy/project.ts'
import { storeRules } from './tidy/store-rules.ts'
import { textRules } from './tidy/text-rules.ts'

const rules: Rule[] = [
  ...importRules,
  ...codeRules,
  ...storeRules,
  ...distributionRules,
  ...textRules,
  ...interfaceRules,
  ...failpointRules,
  ...coverageRules,
]

const project = readProject()

// covers: The machine-readable description is kept in step with the implementation
it('finds nothing in this repository', () => {
  expect(project.files.length).toBeGreaterThan(100)
  const findings = rules.flatMap((rule) =>
    rule.check(project).map(({ file, line, text }) => `${file}:${line}: ${text} (${rule.name})`),
  )
  expect(findings).toEqual([])
})

// `npm test -- test/tidy.test.ts -u` writes the page anew.
it('docs/interface-coverage.md says what the comments in the tests say', async () => {
  await expect(coveragePage(project)).toMatchFileSnapshot(`../${coverageFile}`)
})

describe('the page of what tests cover', () => {
  const sentencesFile = 'test/contract/merchant-interface.md'
  const page = (sentences: string, test: string) =>
    coveragePage(sampleProject({ [sentencesFile]: sentences, 'test/a.test.ts': test }))

  it('names tests below their sentence, with what is around them, before any remark', () => {
    const test = `
      describe('400', () => {
        // covers: A sentence
        it('is one', () => {})
        describe.each(routes)('$name', () => {
          // covers: A sentence
          it(\`is refused for \${reason}\`, () => {})
        })
      })`
    expect(page('# Title\n\n> A sentence.\n\n- See: below.\n\n> Another.\n', test)).toBe(
      '# Title\n\n> A sentence.\n\n' +
        '- `test/a.test.ts › 400 › is one`\n' +
        '- `test/a.test.ts › 400 › $name › is refused for …`\n' +
        '- See: below.\n\n> Another.\n',
    )
  })

  it.each([
    [
      'in place',
      '',
      `[
      // covers: A sentence
      ['no title', 1],
      ['two', 2],
      // covers: A sentence
      ['three titles', 3],
    ]`,
    ],
    [
      'by name',
      `const cases = [
      // covers: A sentence
      ['no title', 1],
      // covers: A sentence
      ['three titles', 3],
    ]`,
      'cases',
    ],
  ])('names the cases of a table that is given %s', (_, before, table) => {
    const test = `${before}\nit.each(${table})('is the answer to %s', () => {})\n`
    expect(page('> A sentence.\n', test)).toBe(
      '> A sentence.\n\n' +
        '- `test/a.test.ts › is the answer to %s` with `no title`, `three titles`\n',
    )
  })
})

describe.each(rules)('$name', ({ check, bad, good }) => {
  it.each(bad.map((sample) => ({ sample, name: JSON.stringify(sample).slice(0, 100) })))(
    'is found to be broken by $name',
    ({ sample }) => {
      expect(check(sampleProject(sample))).not.toEqual([])
    },
  )

  it.each(good.map((sample) => ({ sample, name: JSON.stringify(sample).slice(0, 100) })))(
    'is kept by $name',
    ({ sample }) => {
      expect(check(sampleProject(sample))).toEqual([])
    },
  )
})
