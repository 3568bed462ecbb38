// Entry point of the CLI: `npm run cli -- <command>`.
import { readSettings } from '../config.ts'
import { runCli } from './run-cli.ts'

// A reader such as `head` may close the pipe early; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await runCli(process.argv.slice(2), () => readSettings([]))
