// Walks syntax trees without the type of every node.
import { visitorKeys } from 'oxc-parser'
import type { SourceFile, WithCode } from './project.ts'

export type Node = { readonly type: string; readonly start: number; readonly end: number } & {
  // biome-ignore lint/suspicious/noExplicitAny: a node has the fields of its type
  readonly [field: string]: any
}

export function programOf(file: SourceFile & WithCode): Node {
  return file.code.program as unknown as Node
}

export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => void): void {
  const parents: Node[] = []
  const step = (current: Node) => {
    visit(current, parents)
    parents.push(current)
    for (const key of visitorKeys[current.type] ?? []) {
      const child = current[key] as Node | (Node | null)[] | null | undefined
      if (Array.isArray(child)) {
        for (const one of child) if (one) step(one)
      } else if (child) step(child)
    }
    parents.pop()
  }
  step(node)
}

export function collect(file: SourceFile & WithCode, wanted: (node: Node) => boolean): Node[] {
  return nodesOf(file).filter(wanted)
}

// Of each file, listed once: most rules look at all of them.
const nodes = new WeakMap<SourceFile, Node[]>()

function nodesOf(file: SourceFile & WithCode): Node[] {
  const known = nodes.get(file)
  if (known) return known
  const listed: Node[] = []
  walk(programOf(file), (node) => listed.push(node))
  nodes.set(file, listed)
  return listed
}

// `a.b` for a member expression or a name, '' for anything else.
export function dotted(node: Node | null | undefined): string {
  if (!node) return ''
  if (node.type === 'Identifier') return String(node.name)
  if (node.type === 'MemberExpression' && !node.computed) {
    return `${dotted(node.object)}.${node.property.name}`
  }
  return ''
}

export function callName(node: Node): string {
  return node.type === 'CallExpression' ? dotted(node.callee) : ''
}

// The text of a template, with `…` for what is put into it.
export function templateText(template: Node): string {
  const quasis = template.quasis as { value: { raw: string } }[]
  return quasis.map(({ value }) => value.raw).join('…')
}

// The strings of a list, also behind `as const`.
export function stringsOf(node: Node | null | undefined): string[] {
  if (!node) return []
  if (node.type === 'TSAsExpression') return stringsOf(node.expression)
  if (node.type !== 'ArrayExpression') return []
  return (node.elements as (Node | null)[]).flatMap((element) =>
    element?.type === 'Literal' && typeof element.value === 'string' ? [element.value] : [],
  )
}

export function propertyOf(object: Node | undefined, name: string): Node | undefined {
  const properties = (object?.properties ?? []) as Node[]
  return properties.find(({ key }) => key?.name === name || key?.value === name)?.value
}
