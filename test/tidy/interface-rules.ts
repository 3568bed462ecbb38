// Everything that the code offers is described and tested: settings, scopes, events, routes.
import {
  codeFiles,
  type Finding,
  finding,
  type Project,
  type Rule,
  type SourceFile,
  type WithCode,
} from './project.ts'
import { callName, collect, type Node, propertyOf, stringsOf } from './syntax.ts'

export const interfaceRules: Rule[] = [
  {
    name: 'every route has its contract test',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        operationIds(file).flatMap(({ id, node }) => {
          const [, service = ''] = file.path.split('/')
          const test = `test/contract/${service}/${kebab(id)}.test.ts`
          return project.find(test) ? [] : [finding(file, node, `${test} is missing`)]
        }),
      ),
    bad: [
      { 'src/books/a.ts': `defineRoute({ operationId: 'listBills' })` },
      { 'src/merchant/a.ts': `definePublicRoute({ operationId: 'getReference' })` },
      { 'src/merchant/service.ts': `openApiRoute(() => service, 'Reference')` },
    ],
    good: [
      {
        'src/books/a.ts': `defineRoute({ operationId: 'listBills' })`,
        'test/contract/books/list-bills.test.ts': '',
      },
    ],
  },
  {
    name: 'every contract test has its route',
    check: (project) => {
      const known = new Set(
        codeFiles(project, 'src/').flatMap((file) =>
          operationIds(file).map(({ id }) => `${file.path.split('/')[1]}/${kebab(id)}`),
        ),
      )
      return project.files.flatMap((file) => {
        const name = /^test\/contract\/(\w+\/[\w-]+)\.test\.ts$/.exec(file.path)?.[1]
        return name && !known.has(name) ? [finding(file, 0, 'tests a route that is not there')] : []
      })
    },
    bad: [{ 'test/contract/books/list-bills.test.ts': '' }],
    good: [
      {
        'src/books/a.ts': `defineRoute({ operationId: 'listBills' })`,
        'test/contract/books/list-bills.test.ts': '',
      },
    ],
  },
  {
    name: 'every setting is in config.example.env and in the docs',
    check: (project) => {
      const example = project.find('config.example.env')?.text ?? ''
      const docs = documentation(project)
      return codeFiles(project, 'src/config').flatMap((file) =>
        namedLists(file, /^settingNames$/).flatMap(({ name, node }): Finding[] => [
          ...(new RegExp(`^#? ?${name}=`, 'm').test(example)
            ? []
            : [finding(file, node, `${name} is not in config.example.env`)]),
          ...(new RegExp(`\\b${name}\\b`).test(docs)
            ? []
            : [finding(file, node, `${name} is not in the docs`)]),
        ]),
      )
    },
    bad: [
      {
        'src/config.ts': `const settingNames = ['PORT'] as const`,
        'config.example.env': 'PORT=1',
        'docs/a.md': 'nothing',
      },
      {
        'src/config.ts': `const settingNames = ['PORT'] as const`,
        'config.example.env': 'IMPORT=1',
        'docs/a.md': 'PORT',
      },
    ],
    good: [
      {
        'src/config.ts': `const settingNames = ['PORT'] as const`,
        'config.example.env': 'PORT=1',
        'docs/a.md': 'PORT',
      },
    ],
  },
  {
    name: 'every scope and event is in the docs or the references',
    check: (project) => {
      const described = documentation(project) + references(project)
      return codeFiles(project, 'src/').flatMap((file) =>
        [...namedLists(file, /(scopes|EventTypes)$/i), ...published(file)]
          .filter(({ name }) => !described.includes(name))
          .map(({ name, node }) => finding(file, node, `${name} is described nowhere`)),
      )
    },
    bad: [
      { 'src/merchant/scopes.ts': `const merchantScopes = ['payments:read'] as const` },
      { 'src/books/service.ts': `defineService({ scopes: ['read:all'] })` },
      { 'src/books/a.ts': `const booksEventTypes = ['contact.created']` },
      { 'src/books/a.ts': `publish(tx, context, actor, { type: 'contact.created' })` },
    ],
    good: [
      {
        'src/books/a.ts': `publish(tx, context, actor, { type: 'contact.created' })`,
        'docs/a.md': '`contact.created`',
      },
    ],
  },
]

export function operationIds(file: SourceFile & WithCode): { id: string; node: Node }[] {
  const calls = collect(file, (node) => node.type === 'CallExpression')
  return calls.flatMap((node) => {
    if (callName(node) === 'openApiRoute') return [{ id: 'getOpenApi', node }]
    if (!/^define(Public|Handled)?Route$/.test(callName(node))) return []
    const id = propertyOf(node.arguments[0], 'operationId')?.value
    return typeof id === 'string' ? [{ id, node }] : []
  })
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

// The strings of every list that is kept under such a name.
function namedLists(file: SourceFile & WithCode, wanted: RegExp): { name: string; node: Node }[] {
  const lists = collect(file, (node) => {
    if (node.type === 'VariableDeclarator') return wanted.test(node.id.name ?? '')
    return node.type === 'Property' && wanted.test(node.key.name ?? '')
  })
  return lists.flatMap((node) => stringsOf(node.init ?? node.value).map((name) => ({ name, node })))
}

function published(file: SourceFile & WithCode): { name: string; node: Node }[] {
  return collect(file, (node) => callName(node) === 'publish').flatMap((node) => {
    const type = propertyOf(node.arguments[3], 'type')?.value
    return typeof type === 'string' ? [{ name: type, node }] : []
  })
}

function documentation({ files }: Project): string {
  const pages = files.filter(({ path }) => /^(README\.md|docs\/.*\.md)$/.test(path))
  return pages.map(({ text }) => text).join('\n')
}

function references({ files }: Project): string {
  const documents = files.filter(({ path }) => /__snapshots__\/\w+\.openapi\.json$/.test(path))
  return documents.map(({ text }) => text).join('\n')
}
