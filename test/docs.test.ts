// Generated pages of the docs. `npm test -- test/docs.test.ts -u` writes them.
import { expect, it } from 'vitest'
import { operationGroups } from '../src/app/operations.ts'
import { commands } from '../src/cli/command-list.ts'
import type { Command } from '../src/cli/core/command.ts'
import { roles } from '../src/kernel/auth/actor.ts'
import type { Operation } from '../src/kernel/operations/operation.ts'

it('docs/roles.md lists who may call which operation', async () => {
  await expect(rolesPage()).toMatchFileSnapshot('../docs/roles.md')
})

it('docs/cli.md lists every command with its options', async () => {
  await expect(cliPage()).toMatchFileSnapshot('../docs/cli.md')
})

const generated = 'This page is generated: `npm test -- test/docs.test.ts -u` writes it anew.'

function rolesPage(): string {
  return `${[
    '# Who may do what',
    '',
    'People need one of the marked roles. An API key needs one of the scopes; where none is listed, no',
    'API key can do it. Some calls need a further scope because of what they send; the API reference says',
    'when. The operator runs commands on the server. `cli roles` prints the same table.',
    '',
    generated,
    ...operationGroups.flatMap(({ title, operations }) => [
      '',
      `## ${title}`,
      '',
      `| operation | what it does | ${roles.join(' | ')} | operator | API keys |`,
      `|---|---|${roles.map(() => ':-:|').join('')}:-:|---|`,
      ...operations.map(roleRow),
    ]),
  ].join('\n')}\n`
}

function roleRow({ name, summary, roles: allowed, scopes, peopleOnly }: Operation<never>): string {
  const mark = (isAllowed: boolean) => (isAllowed ? '✓' : '')
  const cells = [
    ...[`\`${name}\``, summary],
    ...roles.map((role) => mark(allowed.includes(role))),
    mark(!peopleOnly),
    scopes.map((scope) => `\`${scope}\``).join(' or '),
  ]
  return `| ${cells.join(' | ')} |`
}

function cliPage(): string {
  return `${[
    '# Commands',
    '',
    'Run a command with `npm run cli -- <command> [options]`, on the same machine and with the same',
    'settings as the service. Below, `cli` stands for `npm run cli --`. `cli help <command>` shows one',
    'command. Commands use your only business by default; with several, add `--business`.',
    '',
    'A command exits with 0 when it succeeded, 1 when it was refused or failed, 64 when an option is',
    'wrong, and 78 when a setting is wrong.',
    '',
    generated,
    '',
    '| command | what it does |',
    '|---|---|',
    ...commands.map(({ name, summary }) => `| [\`${name}\`](#${anchor(name)}) | ${summary} |`),
    ...commands.flatMap(commandSection),
  ].join('\n')}\n`
}

function commandSection({ name, summary, argument, usage }: Command): string[] {
  const typed = [`cli ${name}`, ...(argument === undefined ? [] : [`<${argument}>`])].join(' ')
  const lines = usage.map((line) => `  ${line}`.trimEnd())
  return ['', `## ${name}`, '', `${summary}.`, '', '```', typed, ...lines, '```']
}

function anchor(name: string): string {
  return name.replaceAll(' ', '-')
}
