// What a distributed database takes of statements and migrations: it names no constraint by itself,
// and changes one thing a statement.
import { splitStatements } from '../../src/kernel/db/split-statements.ts'
import { codeFiles, finding, type Rule } from './project.ts'
import { statements } from './store-rules.ts'

// Earlier ones were applied before any database could be distributed.
const firstNumber = 90

export const distributionRules: Rule[] = [
  {
    // Citus takes the name of a column there for one of the rows that are read.
    name: 'an insert that selects and returns names its target',
    check: (project) =>
      codeFiles(project, 'src/').flatMap((file) =>
        statements(file)
          .filter(({ text }) => insertsUnnamed.test(text))
          .map(({ node }) => finding(file, node, 'insert … select … returning without `as`')),
      ),
    bad: [
      { 'src/a-store.ts': 'await tx`\n  insert into a (b)\n  select b\n  from c\n  returning b`' },
    ],
    good: [
      {
        'src/a-store.ts':
          'await tx`\n  insert into a as d (b)\n  select b\n  from c\n  returning d.b`\n' +
          'await tx`\n  insert into a (b)\n  values (1)\n  returning b`\n' +
          'await tx`\n  with d as (\n    insert into a (b)\n    select b\n    from c\n  )\n' +
          '  update e\n  set f = 1\n  returning g`',
      },
    ],
  },
  {
    name: 'a migration keeps to what a distributed database takes',
    check: ({ files }) =>
      files
        .filter(({ path }) => Number.parseInt(path.replace('migrations/', ''), 10) >= firstNumber)
        .flatMap((file) =>
          splitStatements(file.text).flatMap((statement) => {
            const problem = problemOf(plain(statement))
            return problem ? [finding(file, file.text.indexOf(statement), problem)] : []
          }),
        ),
    bad: [
      { 'migrations/0090-a.sql': 'create table a (id uuid primary key);' },
      { 'migrations/0090-a.sql': 'create table a (\n  id uuid,\n  check (id is not null)\n);' },
      {
        'migrations/0090-a.sql':
          'create table a (\n  constraint a_b foreign key (b, c) references b (a, c)\n);',
      },
      { 'migrations/0090-a.sql': 'alter table a add check (b > 0);' },
      { 'migrations/0090-a.sql': 'alter table a add column b integer check (b > 0);' },
      { 'migrations/0090-a.sql': 'alter table a add column b uuid references c (id);' },
      {
        'migrations/0090-a.sql':
          'alter table a\n  add constraint b check (c > 0),\n  add constraint d check (e > 0);',
      },
      { 'migrations/0091-a.sql': '-- Why.\nalter table a disable trigger b;' },
    ],
    good: [
      {
        'migrations/0090-a.sql':
          'create table a (\n  b uuid not null, -- check\n  constraint a_key primary key (b, c),\n' +
          '  constraint a_b check (b in (1, 2))\n);\n' +
          'alter table a\n  add constraint a_d foreign key (b, c) references d (b, c);\n' +
          "alter table a add column e text default 'unique';\n" +
          'create unique index f on a (b);',
      },
      { 'migrations/0089-a.sql': 'create table a (id uuid primary key);' },
    ],
  },
  {
    name: 'a migration says what it means for the version before',
    check: ({ files }) =>
      files
        .filter(({ path }) => Number.parseInt(path.replace('migrations/', ''), 10) >= firstNumber)
        .filter(({ text }) => !/^-- (expand|contract)\b/.test(text))
        .map((file) => finding(file, 0, 'does not begin with `-- expand` or `-- contract`')),
    bad: [{ 'migrations/0090-a.sql': '-- Why.\ndrop index a;' }],
    good: [
      { 'migrations/0090-a.sql': '-- expand\ncreate index a on b (c);' },
      { 'migrations/0090-a.sql': '-- contract: nothing reads it.\ndrop index a;' },
      { 'migrations/0089-a.sql': 'drop index a;' },
    ],
  },
]

// Up to a bracket that begins a line, which ends a part of `with`.
const insertsUnnamed =
  /\binsert into [\w.]+\s*\([^()]*\)\s*select\b(?:(?!\n\s*\))[\s\S])*?\breturning\b/

function problemOf(statement: string): string | undefined {
  if (/\bdisable trigger\b/.test(statement)) return 'switches a trigger off'
  if (/^create table\b/.test(statement)) {
    if (/\b(foreign key|references)\b/.test(statement)) {
      return 'a foreign key in `create table`: add it in its own statement'
    }
    return partsOf(statement).some(isUnnamed) ? 'a constraint without a name' : undefined
  }
  if (!/^alter table\b/.test(statement)) return undefined
  const added: readonly string[] =
    statement.match(/\badd (constraint|column|check|unique|primary|foreign)\b/g) ?? []
  if (added.filter((one) => one !== 'add column').length > 1) return 'several constraints at once'
  if (added.some((one) => !/constraint|column/.test(one))) return 'a constraint without a name'
  return added.includes('add column') && constraintWords.test(statement)
    ? 'a constraint on `add column`: add it in its own statement'
    : undefined
}

const constraintWords = /\b(primary key|unique|check|foreign key|references)\b/

function isUnnamed(part: string): boolean {
  return constraintWords.test(part) && !/^\s*constraint\b/.test(part)
}

// The columns and constraints of a table.
function partsOf(statement: string): string[] {
  const body = statement.slice(statement.indexOf('(') + 1, statement.lastIndexOf(')'))
  let depth = 0
  const parts = ['']
  for (const letter of body) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

// Without comments and quoted texts.
function plain(statement: string): string {
  return statement.replaceAll(/--[^\n]*|'[^']*'|\$(\w*)\$[\s\S]*?\$\1\$/g, '').trim()
}
