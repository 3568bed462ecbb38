// Imports CSV files that another program exported. An import saves all rows or none, and lists
// every problem with its row.
import { readFile } from 'node:fs/promises'
import { importNames } from '../../../books/imports/import.ts'
import { type ImportReport, importCsv } from '../../../books/imports/import-csv.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { meantTenant } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'

const progressEvery = 250

export const importBooks: Command = {
  name: 'books import',
  summary: 'Import contacts, documents, payments and more from a CSV file',
  usage: [
    businessUsage,
    `--what NAME            ${importNames.join(', ')}`,
    '--file PATH            CSV in UTF-8; the first row names the columns',
    '--date DAY             the day of opening balances, for example 2030-01-01',
    '--post                 issue invoices with their own numbers, approve bills; no drafts',
    '--send-webhooks        tell the endpoints about what is created',
    '--confirm-old-date     the day is more than ten years back, and right',
    '--dry-run              check the file and save nothing',
    testUsage,
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    what: { type: 'string' },
    file: { type: 'string' },
    date: { type: 'string' },
    post: { type: 'boolean' },
    'send-webhooks': { type: 'boolean' },
    'confirm-old-date': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    test: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const tenant = await meantTenant(context, options)
    const name = importNames.find((known) => known === requiredOption(options, 'what'))
    if (!name) throw new UsageError(`--what must be one of ${importNames.join(', ')}`)
    const actor = { ...tenant, kind: 'system', name: 'cli books import' } as const
    const report = await runOperation(importCsv, context, actor, {
      name,
      bytes: await readBytes(requiredOption(options, 'file')),
      isTrial: options['dry-run'] === true,
      date: typeof options.date === 'string' ? options.date : null,
      isPosted: options.post === true,
      sendsWebhooks: options['send-webhooks'] === true,
      confirmsOldDate: options['confirm-old-date'] === true,
      onProgress(done, total) {
        if (done % progressEvery === 0) process.stderr.write(`${done} of ${total}\n`)
      },
    })
    if (options.json) printJson(report)
    else {
      for (const { row, column, message } of report.problems) {
        const place = [row !== null && `row ${row}`, column].filter(Boolean).join(', ')
        print(place === '' ? message : `${place}: ${message}`)
      }
      print(outcome(report))
    }
    return report.problems.length === 0 ? 0 : 1
  },
}

function outcome({ rows, made, problems, isKept }: ImportReport): string {
  if (problems.length > 0) return `Nothing was saved. Problems found: ${problems.length}.`
  const what = `${made} from ${rows} ${rows === 1 ? 'row' : 'rows'}`
  return isKept ? `Created ${what}.` : `Would create ${what}. Nothing was saved.`
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the file cannot be read: ${reason}`)
  }
}
