// Shows who can do what: people by role, API keys by scope, and the operator.
import { operationGroups } from '../../../app/operations.ts'
import { roles } from '../../../kernel/auth/actor.ts'
import type { Operation } from '../../../kernel/operations/operation.ts'
import { type Command, jsonUsage, print, printJson } from '../../core/command.ts'

export const showRoles: Command = {
  name: 'roles',
  summary: 'Show who can do what: people by role, API keys by scope, and the operator',
  usage: [jsonUsage],
  options: { json: { type: 'boolean' } },
  async run(_world, options) {
    if (options.json) {
      const rows = operationGroups.flatMap(({ title, operations }) =>
        operations.map((operation) => ({ group: title, ...fieldsOf(operation) })),
      )
      printJson(rows)
      return 0
    }
    const names = operationGroups.flatMap(({ operations }) => operations.map(({ name }) => name))
    const width = Math.max(...names.map(({ length }) => length))
    for (const { title, operations } of operationGroups) {
      print(title)
      for (const operation of operations) for (const line of linesOf(operation, width)) print(line)
      print()
    }
    print('People need one of the roles, API keys one of the scopes. The operator uses commands.')
    return 0
  },
}

function fieldsOf({ name, summary, kind, roles: allowed, scopes, peopleOnly }: Operation<never>) {
  return { name, summary, kind, roles: allowed, scopes, operator: !peopleOnly }
}

function linesOf(operation: Operation<never>, width: number): string[] {
  const { name, summary, roles: allowed, scopes, operator } = fieldsOf(operation)
  const people = allowed.length === roles.length ? ['every role'] : allowed
  const callers = [...people, ...(operator ? ['operator'] : [])].join(', ')
  const keys = scopes.length > 0 ? `; keys with ${scopes.join(' or ')}` : ''
  return [`  ${name.padEnd(width)}  ${summary}`, `  ${''.padEnd(width)}  ${callers}${keys}`]
}
