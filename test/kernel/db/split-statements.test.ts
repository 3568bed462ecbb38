import { describe, expect, it } from 'vitest'
import { splitStatements } from '../../../src/kernel/db/split-statements.ts'

describe('splitting a migration', () => {
  it.each<[string, string, string[]]>([
    ['at each semicolon', 'select 1; select 2;\n', ['select 1', 'select 2']],
    ['not in a comment', 'select 1 -- one; two\n;', ['select 1 -- one; two']],
    ['not in a long comment', 'select /* ; */ 1;', ['select /* ; */ 1']],
    ['not in a text', "select 'it''s; so';", ["select 'it''s; so'"]],
    ['not in a name', 'select "a;b";', ['select "a;b"']],
    [
      'not in the body of a function',
      "create function f() as $$ begin; 'x'; end $$;\nselect $one$ ; $$ ; $one$",
      ["create function f() as $$ begin; 'x'; end $$", 'select $one$ ; $$ ; $one$'],
    ],
    ['with the comment before it', '-- Why.\nselect 1;', ['-- Why.\nselect 1']],
    ['and leaves out what says nothing', ';;\n-- The end; of it.\n', []],
  ])('works %s', (_, text, statements) => {
    expect(splitStatements(text)).toEqual(statements)
  })
})
