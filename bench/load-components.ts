// Loaded before the measurements: Node runs TypeScript by itself, but no JSX, which some of the
// measured code leads to.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    const path = fileURLToPath(url)
    const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), {
      jsx: { runtime: 'automatic', importSource: 'preact' },
    })
    if (errors.length > 0) throw new Error(`${path}: ${JSON.stringify(errors)}`)
    return { format: 'module', source: code, shortCircuit: true }
  },
})
