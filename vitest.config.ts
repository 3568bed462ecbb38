import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Vitest begins with the largest files. What takes longest is not, and at the end one worker would
// wait for it alone.
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

const longest = ['crash', 'model', 'browser', 'start']

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((folder) => moduleId.includes(`/test/${folder}/`))
  return index === -1 ? longest.length : index
}

// Ten processes at once, for minutes: `npm run test:fleet`. An upgrade needs a build of the version
// before: `npm run test:upgrade -- COMMIT`.
function fleetTestsLeftOut(): string[] {
  if (process.env.OLDER_HOME) return []
  return process.env.FLEET ? ['test/fleet/upgrade.test.ts'] : ['test/fleet/**']
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: fleetTestsLeftOut(),
    // `npm test` leaves out what is tagged as long; see CONTRIBUTING.md.
    tags: [{ name: 'long', description: 'proofs that take long: CI and `npm run test:all`' }],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/record-statements.ts'],
    // Several whole services and databases start in some tests, and the machine may be busy with
    // others; the limit only ends what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Of a wait for a fact, too.
    expect: { poll: { timeout: 240_000, interval: 20 } },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // A worker runs one file after the other and loads the application once, which takes longer
    // than most files do. So a file leaves nothing behind, and no module remembers anything.
    isolate: false,
    // One more than cores: some tests wait for time to pass.
    maxWorkers: 3,
    passWithNoTests: false,
  },
})
