// Rules for failpoints, which the crash sweep finds by their names.
import {
  codeFiles,
  type Finding,
  finding,
  type Project,
  type Rule,
  type SourceFile,
} from './project.ts'
import { callName, collect, type Node } from './syntax.ts'

const namePattern = /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/

export const failpointRules: Rule[] = [
  {
    name: 'a failpoint has its own name, area.step',
    check: (project) => {
      const calls = failpointNames(project)
      return calls.flatMap(({ file, node, name }, index): Finding[] => {
        if (!namePattern.test(name)) return [finding(file, node, 'no literal area.step')]
        const isFirst = calls.findIndex((other) => other.name === name) === index
        return isFirst ? [] : [finding(file, node, `${name} is in another place already`)]
      })
    },
    bad: [
      { 'src/a.ts': `context.failpoint('reserved')` },
      { 'src/a.ts': `context.failpoint('Charge.reserved')` },
      { 'src/a.ts': 'context.failpoint(name)' },
      { 'src/a.ts': `failpoint('charge.' + step)` },
      { 'src/a.ts': `context.failpoint('a.b')`, 'src/b.ts': `step.context.failpoint('a.b')` },
    ],
    good: [{ 'src/a.ts': `context.failpoint('charge.page-made')\nfailpoint('charge.reserved')` }],
  },
]

export type FailpointCall = {
  readonly file: SourceFile
  readonly node: Node
  readonly name: string
}

// The name is '' where it is no literal.
export function failpointNames(project: Project): FailpointCall[] {
  return codeFiles(project, 'src/').flatMap((file) =>
    collect(file, (node) => /(^|\.)failpoint$/.test(callName(node))).map((node) => {
      const [argument] = node.arguments
      const name = argument?.type === 'Literal' ? String(argument.value) : ''
      return { file, node, name }
    }),
  )
}
