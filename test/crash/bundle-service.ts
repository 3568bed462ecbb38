// The built service in a few files instead of some seventeen hundred. A sweep starts it hundreds of
// times, and to find and load that many takes longer than all that the service then does.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { checkout } from '../support/processes.ts'

export type Bundle = { readonly service: string; readonly cli: string }

export async function bundleService(directory: string): Promise<Bundle> {
  const dist = join(checkout, 'dist')
  await build({
    root: checkout,
    configFile: false,
    logLevel: 'silent',
    plugins: [ownAddresses],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      minify: false,
      outDir: directory,
      rolldownOptions: {
        input: { service: join(dist, 'main.js'), cli: join(dist, 'cli', 'main.js') },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  })
  return { service: join(directory, 'service.mjs'), cli: join(directory, 'cli.mjs') }
}

// Files are found from where a module lies, and that is still where it was built.
const ownAddresses: Plugin = {
  name: 'own-addresses',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}
