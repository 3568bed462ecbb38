// Loaded before a command, so that a command before the first start says what to do.
import { existsSync } from 'node:fs'

if (!existsSync(new URL('../dist/cli/main.js', import.meta.url))) {
  console.error('Nothing is built yet. Run `npm start` first, or `npm ci && npm run build`.')
  process.exit(1)
}
await import('./require-node.mjs')
