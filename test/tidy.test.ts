// The house rules that a machine can check, over every file of the repository. All findings are
// reported together. Limits and exceptions stand beside their rules and only get fewer.
import { describe, expect, it } from 'vitest'
import { codeRules } from './tidy/code-rules.ts'
import { coverageRules } from './tidy/coverage-rules.ts'
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
  ...textRules,
  ...interfaceRules,
  ...failpointRules,
  ...coverageRules,
]

it('finds nothing in this repository', () => {
  const project = readProject()
  expect(project.files.length).toBeGreaterThan(100)
  const findings = rules.flatMap((rule) =>
    rule.check(project).map(({ file, line, text }) => `${file}:${line}: ${text} (${rule.name})`),
  )
  expect(findings).toEqual([])
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
