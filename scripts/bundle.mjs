// Puts the service and the commands, with the packages that they use, into a few files: to find and
// load some seventeen hundred takes longer than all else that a start does. Only build.mjs runs
// this, when the packages are there: `node scripts/bundle.mjs <directory>`.
import { join, relative } from 'node:path'
import { build } from 'vite'
import { root } from './project.mjs'

// What Node is told to run. What is bundled together shares files; a thread has its own, or it
// would load the whole service.
const bundles = [
  ['main', 'cli/main'],
  ['books/documents/pdf/drawing-thread'],
  ['merchant/qr-codes/qr-drawing-thread'],
]

// They read files that lie beside their own.
const external = ['fontkit', 'pdfkit', 'pino']

const source = join(root, 'src')

// A module's own address stays what it would be if each were built by itself, since what lies
// beside the code is found from it.
const ownAddresses = {
  name: 'own-addresses',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return undefined
    const built = relative(source, id).replace(/\.tsx?$/, '.js')
    const own = code.replaceAll('import.meta.url', `new URL('${built}', distUrl).href`)
    return { code: own, map: null }
  },
}

// Named in full, since a package may have a `URL` itself.
function declareDistUrl({ fileName }) {
  const up = '../'.repeat(fileName.split('/').length - 1) || './'
  return `const distUrl = new globalThis.URL('${up}', import.meta.url)`
}

for (const entries of bundles) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [ownAddresses],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      target: 'es2024',
      minify: false,
      sourcemap: true,
      outDir: process.argv[2],
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((name) => [name, join(source, `${name}.ts`)])),
        output: {
          banner: declareDistUrl,
          entryFileNames: '[name].js',
          chunkFileNames: ({ name }) => (name === 'tillbook' ? '[name].js' : 'packages/[name].js'),
          // What both run, in one file with a name that a stack trace can show.
          codeSplitting: { groups: [{ name: 'tillbook', test: source, minShareCount: 2 }] },
        },
      },
    },
  })
}

// What runs in the browser: one small file for every page, and those that few pages need. Each is
// complete in itself, since all are loaded by their own address.
const islands = ['app.ts', 'document-editor.ts', 'opening-balances.ts', 'public.ts', 'sign-in.ts']
for (const file of islands) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'es2022',
      minify: true,
      sourcemap: false,
      outDir: join(process.argv[2], 'islands'),
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: { [file.replace('.ts', '')]: join(source, 'web', 'islands', file) },
        output: { entryFileNames: '[name].js' },
      },
    },
  })
}
